/** Stands in the place of a run. */
export const MASK = '[masked]'

/** A range of a text. */
export interface Part {
  from: number
  to: number
}

/** The masks of a text, in its order, and the number of secrets. */
export interface Masks {
  parts: Part[]
  count: number
}

/** Runs that are longer are shown from here on. */
const LONGEST_RUN = 2048
const LETTER = '\\p{L}\\p{N}_'
const RUN = new RegExp(`(\\[masked\\])|\\$\\w+|([${LETTER}][${LETTER}+-]{0,${LONGEST_RUN - 1}})[${LETTER}+-]*`, 'gu')

/**
 * The only parts that a mask may ever cover: runs of letters, digits, `_`, `+` and `-`, and masks that are there
 * already. White space, quotes, separators and all that means something to a shell is shown, names of variables too.
 * [S110]
 */
export function runsIn(text: string, { from, to }: Part): Part[] {
  const value = text.slice(from, to)
  if (value === MASK) return [{ from, to }]
  const parts: Part[] = []
  // `matchAll` would make a new expression for each of what may be very many.
  RUN.lastIndex = 0
  for (let found = RUN.exec(value); found; found = RUN.exec(value)) {
    const { 1: mask, 2: run = mask, index } = found
    if (run) parts.push({ from: from + index, to: from + index + run.length })
  }
  return parts
}

// What runs something, redirects, or leads somewhere: a URL, or a host with a path.
const MEANS_MORE = /[`;|&<>(){}\r\n\u0085\u2028\u2029]|:\/\/|\w\.[\w-]{1,63}(?::\d{1,5})?\//

/** Whether all of a value may be hidden because of its name: never what is more than a value. [S111] */
export function isPlainValue(value: string): boolean {
  return !MEANS_MORE.test(value)
}
