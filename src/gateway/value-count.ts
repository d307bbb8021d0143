/** Each takes some hundred bytes once it is read, however few it had. */
const MOST_VALUES = 250_000
/** Shorter texts cannot have so many. */
const SHORTEST = 2 * MOST_VALUES
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]

export const TOO_MANY_VALUES = `it sent a message of more than ${MOST_VALUES} values`

/** Counts before anything is read: the members of lists and objects of a JSON text, which commas tell apart. */
export function hasTooManyValues(json: string): boolean {
  if (json.length < SHORTEST) return false
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at)
    else if (code === COMMA && ++values > MOST_VALUES) return true
  }
  return false
}

function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return json.length
}
