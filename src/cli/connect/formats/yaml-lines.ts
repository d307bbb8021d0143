import { unclear } from './text-format.ts'

/** The line that names a list: it ends with its colon, what stands for an empty list, and what is said about it. */
interface Head {
  colonEnd: number
  /** Where the comment begins, with the blanks in front of it. */
  said: number
}

export function headOf(text: string, name: string, nameEnd: number): Head {
  const end = lineEnd(text, nameEnd)
  const colon = text.slice(nameEnd, end).indexOf(':')
  if (colon < 0) throw unclear(`has ${name} in another way than as a list of lines`)
  const colonEnd = nameEnd + colon + 1
  const [comment = ''] = /[ \t]+#.*$/.exec(text.slice(colonEnd, end)) ?? []
  return { colonEnd, said: end - comment.length }
}

/** For items on the next lines. */
export function withoutBrackets(text: string, { colonEnd, said }: Head): string {
  return text.slice(0, colonEnd) + text.slice(said)
}

/** Without items a name would have no value at all. */
export function withBrackets(text: string, { said }: Head, brackets: '[]' | '{}' = '[]'): string {
  return `${text.slice(0, said)} ${brackets}${text.slice(said)}`
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : text[end - 1] === '\r' ? end - 1 : end
}
