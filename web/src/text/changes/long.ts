import type { FileChange } from '../../../../src/protocol/entries/entry.ts'

/** The input of a call. */
export interface Given {
  input: string
  changes?: FileChange[]
}

/** Up to here it is read and drawn at once, in less time than anybody notices. */
const SHORT_LENGTH = 40_000
const SHORT_LINES = 1000
const BREAKS = /\n|\\n/g

export function isLong({ input, changes = [] }: Given): boolean {
  const texts = [input, ...changes.flatMap(({ old_text = '', new_text }) => [old_text, new_text])]
  if (texts.reduce((sum, { length }) => sum + length, 0) > SHORT_LENGTH) return true
  return texts.reduce((sum, text) => sum + (text.match(BREAKS)?.length ?? 0), 0) > SHORT_LINES
}
