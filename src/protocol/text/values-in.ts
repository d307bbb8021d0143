const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** About how many values there are in a text of JSON, whether it is good or not: each list, object and comma is one. */
export function valuesIn(json: string): number {
  let values = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === COMMA || code === LIST || code === OBJECT) values++
    else if (code === QUOTE) at = endOfText(json, at + 1)
  }
  return values
}

/** The position of the quote that ends it. */
function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at !== -1; at = json.indexOf('"', at + 1)) {
    let before = at
    while (before > from && json.charCodeAt(before - 1) === BACKSLASH) before--
    if ((at - before) % 2 === 0) return at
  }
  return json.length
}
