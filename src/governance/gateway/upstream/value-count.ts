import { DEEPEST, TOO_DEEP } from '../../../protocol/text/nesting.ts'

/** Each takes some hundred bytes once it is read, however few it had. */
const MOST_VALUES = 250_000
/** Shorter texts cannot have so many, and what is deep in them costs little. */
const SHORTEST = 2 * MOST_VALUES
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const OPENING = [0x5b, 0x7b]
const CLOSING = [0x5d, 0x7d]

export const TOO_MANY_VALUES = `it sent a message of more than ${MOST_VALUES} values`

/** Why a text of JSON is not to be read, if it is too much. Looked at before anything is read. */
export function tooMuchIn(json: string): string | undefined {
  return json.length < SHORTEST ? undefined : createValueCount().take(Buffer.from(json))
}

/**
 * Counts the members of lists and objects, which commas tell apart, and how deep they are, of JSON that comes in
 * pieces.
 */
export function createValueCount() {
  let [values, depth] = [1, 0]
  let [isText, isEscaped] = [false, false]
  return { take }

  /** Why the rest is not to be read. */
  function take(bytes: Uint8Array): string | undefined {
    for (const byte of bytes) {
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
      } else if (byte === QUOTE) isText = true
      else if (byte === COMMA && ++values > MOST_VALUES) return TOO_MANY_VALUES
      else if (OPENING.includes(byte) && ++depth > DEEPEST + 1) return TOO_DEEP
      else if (CLOSING.includes(byte)) depth--
    }
    return undefined
  }
}
