import { gistOfFiles } from '../../protocol/entries/files.ts'

const TITLE_LENGTH = 60

/** The title of a conversation that begins with these words: the first of them, whole ones where they are not long. */
export function titleFrom(text: string, files: Parameters<typeof gistOfFiles>[0] = []): string {
  const words = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (words.length <= TITLE_LENGTH) return words || gistOfFiles(files)
  const cut = words.slice(0, TITLE_LENGTH + 1)
  const end = cut.lastIndexOf(' ')
  return `${cut.slice(0, end > TITLE_LENGTH / 2 ? end : TITLE_LENGTH).toWellFormed()}…`
}
