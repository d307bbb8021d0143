import { isDeepStrictEqual } from 'node:util'
import { paragraphIn, withoutParagraph, withParagraph } from './formats/paragraph.ts'
import { isObject, type ListFormat, type Path, type TextFormat, unclear, valueAt } from './formats/text-format.ts'
import { isOwn, NAME } from './server-entry.ts'

/** Something of Parley's in a file of somebody else. */
export interface Part {
  /** Whether it is in the text. */
  isIn(text: string): boolean
  /** The text with it. Refuses where somebody else has its place. */
  put(text: string): string
  /** Another text, with it as it is in this one. */
  copy(from: string, to: string): string
  /** The text without it, and without what was made for it alone; `before`: as it was before Parley came. */
  take(text: string, before: string | undefined): string
}

/** The entry for the server. */
export function entryPart(format: TextFormat, at: Path, entry: object): Part {
  const found = (text: string) => valueAt(format.read(text), at)
  return {
    isIn: (text) => isOwn(found(text)),
    put(text) {
      const there = found(text)
      if (there !== undefined && !isOwn(there)) throw unclear(`has an entry "${NAME}" that Parley did not write`)
      return isDeepStrictEqual(there, entry) ? text : format.set(text, at, entry)
    },
    copy: (from, to) => format.set(to, at, found(from)),
    take: (text, before) => withoutEmpty(format, format.remove(text, at), at, before),
  }
}

/** A value that is Parley's alone. */
export function valuePart(format: TextFormat, at: Path, value: unknown): Part {
  const isIn = (text: string) => isDeepStrictEqual(valueAt(format.read(text), at), value)
  return {
    isIn,
    put: (text) => (isIn(text) ? text : format.set(text, at, value)),
    copy: (_, to) => format.set(to, at, value),
    take: (text, before) => withoutEmpty(format, format.remove(text, at), at, before),
  }
}

/** An item in a list of others. */
export function itemPart(format: ListFormat, at: Path, item: unknown): Part {
  const items = (text: string) => valueAt(format.read(text), at)
  return {
    isIn(text) {
      const there = items(text)
      return Array.isArray(there) && there.some((one) => isDeepStrictEqual(one, item))
    },
    put: (text) => format.add(text, at, item),
    copy: (_, to) => format.add(to, at, item),
    take(text, before) {
      const left = format.drop(text, at, item)
      const isMade = before === undefined || valueAt(format.read(before), at) === undefined
      const there = items(left)
      if (!isMade || !Array.isArray(there) || there.length > 0) return left
      return withoutEmpty(format, format.remove(left, at), at, before)
    },
  }
}

/** A marked paragraph in a text. */
export function paragraphPart(paragraph: string): Part {
  return {
    isIn: (text) => paragraphIn(text) !== undefined,
    put: (text) => withParagraph(text, paragraph),
    copy: (from, to) => withParagraph(to, paragraphIn(from) ?? paragraph),
    take: withoutParagraph,
  }
}

/** Objects that were made for it go with it. */
function withoutEmpty(format: TextFormat, text: string, at: Path, before: string | undefined): string {
  const around = at.slice(0, -1)
  const inner = valueAt(format.read(text), around)
  if (around.length === 0 || !isObject(inner) || Object.keys(inner).length > 0) return text
  if (before !== undefined && valueAt(format.read(before), around) !== undefined) return text
  return withoutEmpty(format, format.remove(text, around), around, before)
}
