import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../../io/attempt.ts'
import { paragraphIn, withoutParagraph, withParagraph } from './formats/paragraph.ts'
import {
  ifUnclear,
  isObject,
  type ListFormat,
  type Path,
  plain,
  type TextFormat,
  unclear,
  valueAt,
} from './formats/text-format.ts'
import { isOurs, mustBeHarmless, renewed } from './renewed-entry.ts'
import { NAME, tokenIn, withoutToken } from './server-entry.ts'

/** Something of Parley's in a file of somebody else. `written` is what was noted in its place. */
export interface Part {
  /** Where it stands, for the note. */
  place: string
  /** Whether it is for nobody else to read. */
  isSecret?: boolean
  /** Whether it is in the text, and Parley's own. */
  isIn(text: string, written: readonly unknown[]): boolean
  /** The text with it. Refuses where somebody else has its place. */
  put(text: string, written: readonly unknown[]): string
  /** What `put` writes, to be noted; nothing where it was there before. */
  noted(text: string, written: readonly unknown[]): unknown
  /** Another text, with it as it is in this one. */
  copy(from: string, to: string): string
  /** The text without it, and without what was made for it alone; `before`: as it was before Parley came. */
  take(text: string, before: string | undefined): string
}

/** The entry for the server. `isProject`: others may have made what is there. */
export function entryPart(format: TextFormat, at: Path, entry: object, isProject: boolean): Part {
  const found = (text: string) => plain(valueAt(format.read(text), at))
  const isIn = (text: string, written: readonly unknown[]) => isOurs(found(text), written)
  return {
    place: placeOf(at),
    isSecret: tokenIn(entry) !== undefined,
    isIn,
    put(text, written) {
      const there = found(text)
      if (there === undefined) return format.set(text, at, entry)
      if (isDeepStrictEqual(there, entry)) return text
      if (!isObject(there) || !isOurs(there, written)) throw writtenByHand()
      const next = renewed(there, { ...entry }, written)
      if (isProject) mustBeHarmless(next, { ...entry })
      return withFields(format, text, at, there, next)
    },
    noted: (text, written) => (found(text) === undefined || isIn(text, written) ? withoutToken(entry) : undefined),
    copy: (from, to) => format.set(to, at, found(from)),
    take: (text, before) => withoutEmpty(format, format.remove(text, at), at, before),
  }
}

/** Where an entry or a value stands, as the note names it. */
export function placeOf(at: Path): string {
  return at.join('.')
}

/** What keeps an entry from being changed or taken out. */
export function writtenByHand(file?: string) {
  return unclear(`has an entry "${NAME}" that parley connect did not write, or that was changed since`, file)
}

/** A value among others. */
export function valuePart(format: TextFormat, at: Path, value: unknown): Part {
  const found = (text: string) => valueAt(format.read(text), at)
  return {
    place: placeOf(at),
    isIn: (text, written) => written.length > 0 && isDeepStrictEqual(found(text), value),
    put(text) {
      const there = found(text)
      if (there === undefined) return format.set(text, at, value)
      if (isDeepStrictEqual(there, value)) return text
      throw unclear(`has "${at.at(-1)}" set to something else by somebody`)
    },
    noted: (text, written) => (found(text) === undefined || written.length > 0 ? value : undefined),
    copy: (_, to) => format.set(to, at, value),
    take: (text, before) => withoutEmpty(format, format.remove(text, at), at, before),
  }
}

/** An item in a list of others. */
export function itemPart(format: ListFormat, at: Path, item: unknown): Part {
  const items = (text: string) => valueAt(format.read(text), at)
  const isThere = (text: string) => {
    const list = items(text)
    return Array.isArray(list) && list.some((one) => isDeepStrictEqual(one, item))
  }
  return {
    place: itemPlace(at, item),
    isIn: (text, written) => written.length > 0 && isThere(text),
    put: (text) => format.add(text, at, item),
    noted: (text, written) => (!isThere(text) || written.length > 0 ? item : undefined),
    copy: (_, to) => format.add(to, at, item),
    take(text, before) {
      const left = format.drop(text, at, item)
      const isMade = before === undefined || valueAt(format.read(before), at) === undefined
      const there = items(left)
      if (!isMade || !Array.isArray(there) || there.length > 0) return left
      const rest = withoutMade(format, left, at)
      return rest === undefined ? left : withoutEmpty(format, rest, at, before)
    },
  }
}

export function itemPlace(at: Path, item: unknown): string {
  return `${placeOf(at)}: ${JSON.stringify(item)}`
}

/** A marked paragraph in a text. One that is there without a note, as that of a repository, is somebody's, and does as well. */
export function paragraphPart(paragraph: string): Part {
  const isThere = (text: string) => paragraphIn(text) !== undefined
  return {
    place: 'paragraph',
    isIn: (text, written) => written.length > 0 && isThere(text),
    put: (text, written) => (isThere(text) && written.length === 0 ? text : withParagraph(text, paragraph)),
    noted: (text, written) => (!isThere(text) || written.length > 0 ? true : undefined),
    copy: (from, to) => withParagraph(to, paragraphIn(from) ?? paragraph),
    take: withoutParagraph,
  }
}

/** Field by field, so that what is said about the others stays; as a whole where the format cannot do that. */
function withFields(
  format: TextFormat,
  text: string,
  at: Path,
  there: Record<string, unknown>,
  wanted: Record<string, unknown>,
): string {
  const names = [...new Set([...Object.keys(there), ...Object.keys(wanted)])]
  const changed = names.filter((name) => !isDeepStrictEqual(there[name], wanted[name]))
  const byField = attempt(
    () => changed.reduce((all, name) => format.setField(all, at, name, wanted[name]), text),
    ifUnclear,
  )
  return byField ?? format.set(text, at, wanted)
}

/** Objects that were made for it go with it. */
function withoutEmpty(format: TextFormat, text: string, at: Path, before: string | undefined): string {
  const around = at.slice(0, -1)
  const inner = valueAt(format.read(text), around)
  if (around.length === 0 || !isObject(inner) || Object.keys(inner).length > 0) return text
  if (before !== undefined && valueAt(format.read(before), around) !== undefined) return text
  const rest = withoutMade(format, text, around)
  return rest === undefined ? text : withoutEmpty(format, rest, around, before)
}

/** Nothing where somebody said something in what was made, or where it cannot be taken out: then it stays, and is empty. */
function withoutMade(format: TextFormat, text: string, at: Path): string | undefined {
  const rest = attempt(() => format.remove(text, at), ifUnclear)
  return rest === undefined || commentsIn(rest) < commentsIn(text) ? undefined : rest
}

/** A few too many are no matter. */
function commentsIn(text: string): number {
  return (text.match(/#|\/\/|\/\*/g) ?? []).length
}
