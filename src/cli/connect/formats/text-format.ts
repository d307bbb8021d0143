import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../../../io/attempt.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { remembered } from './remembered.ts'

export type Path = readonly string[]

/** A configuration file as its text: what is not changed stays as it is, byte for byte. */
export interface TextFormat {
  /** What the text says. Refuses what the client itself could not read. */
  read(text: string): Record<string, unknown>
  /** With this value there, in the place of the one that was there or behind all others. */
  set(text: string, path: Path, value: unknown): string
  /** Without what is there, which must be there. */
  remove(text: string, path: Path): string
  /** With this value for a name in what is there, or without the name, where it is nothing. */
  setField(text: string, path: Path, name: string, value: unknown): string
}

/** One that knows lists, too. */
export interface ListFormat extends TextFormat {
  /** With this item in the list that is there, or in a new one. */
  add(text: string, path: Path, item: unknown): string
  drop(text: string, path: Path, item: unknown): string
}

/** The format, with everything that it makes read again: whatever the text was, no other value of it may change. */
export function careful<Format extends TextFormat & Partial<ListFormat>>(given: Format): Format {
  // A file is looked at for each thing that may be in it: as it is, as it was, and as it is to be.
  const read = remembered(6, readOnce)
  const format: Format = { ...given, read }
  return { ...format, set, remove, setField, ...(format.add && { add }), ...(format.drop && { drop }) }

  /** Parsers give up on what is nested without end, or would become without end, each in its own way. */
  function readOnce(text: string): Record<string, unknown> {
    return attempt(
      () => plain(given.read(text)) as Record<string, unknown>,
      (error) => {
        if (!(error instanceof RangeError || error instanceof ReferenceError)) throw error
        throw unclear('is nested too deeply')
      },
    )
  }

  function set(text: string, path: Path, value: unknown): string {
    const before = format.read(text)
    return checked(format.set(text, path, value), [withValue(before, path, value)])
  }

  function setField(text: string, path: Path, name: string, value: unknown): string {
    const before = format.read(text)
    const place = [...path, name]
    const wanted = value === undefined ? withoutValue(before, place) : withValue(before, place, value)
    return checked(format.setField(text, path, name, value), [wanted])
  }

  function add(text: string, path: Path, item: unknown): string {
    const before = format.read(text)
    const list = listIn(before, path)
    if (list.some((one) => isDeepStrictEqual(one, item))) return text
    return checked(format.add?.(text, path, item) ?? text, [withValue(before, path, [...list, item])])
  }

  function drop(text: string, path: Path, item: unknown): string {
    const before = format.read(text)
    const rest = listIn(before, path).filter((one) => !isDeepStrictEqual(one, item))
    return checked(format.drop?.(text, path, item) ?? text, [withValue(before, path, rest)])
  }

  /** The objects that led to it may go with it. */
  function remove(text: string, path: Path): string {
    const before = format.read(text)
    const wanted = path.map((_, n) => withoutValue(before, path.slice(0, path.length - n)))
    const isAlone = (n: number) => Object.keys(valueAt(before, path.slice(0, path.length - n)) ?? {}).length === 1
    const alone = path.findIndex((_, n) => n > 0 && !isAlone(n))
    return checked(format.remove(text, path), alone < 0 ? wanted : wanted.slice(0, alone))
  }

  function checked(text: string, wanted: Record<string, unknown>[]): string {
    // What was made of a valid text need not be valid, and that is no fault of the text.
    const made = attempt(() => format.read(text), ifUnclear)
    if (wanted.some((one) => isDeepStrictEqual(made, plain(one)))) return text
    throw unclear('is written in a way that Parley does not change')
  }
}

function listIn(value: unknown, path: Path): unknown[] {
  const list = valueAt(value, path)
  return Array.isArray(list) ? list : []
}

/** What keeps a file from being changed, as the end of a sentence that begins with its name. */
export function unclear(problem: string, file = 'The file'): ParleyError {
  return new ParleyError('unclear_file', { file, problem })
}

/** Nothing, in the place of a file that was refused; every other error is thrown. */
export function ifUnclear(error: unknown): undefined {
  if (!(error instanceof ParleyError) || error.code !== 'unclear_file') throw error
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? own(inner, name) : undefined), value)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value in the objects that lead to it. */
export function wrapped(path: Path, value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value)
}

function withValue(
  value: Record<string, unknown>,
  [name = '', ...rest]: Path,
  wanted: unknown,
): Record<string, unknown> {
  const inner = own(value, name)
  if (rest.length === 0) return { ...value, [name]: wanted }
  return { ...value, [name]: isObject(inner) ? withValue(inner, rest, wanted) : wrapped(rest, wanted) }
}

function withoutValue(value: Record<string, unknown>, [name = '', ...rest]: Path): Record<string, unknown> {
  const { [name]: inner, ...others } = value
  return rest.length === 0 || !isObject(inner) ? others : { ...others, [name]: withoutValue(inner, rest) }
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

/** As JSON has it: parsers differ in prototypes. */
export function plain(value: unknown): unknown {
  return value === undefined
    ? value
    : JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner)))
}

/** How a text breaks its lines and indents them. */
export function styleOf(text: string) {
  const [, unit = '  '] = /^([ \t]+)\S/m.exec(text) ?? []
  return { eol: text.includes('\r\n') ? '\r\n' : '\n', unit }
}

/** Without these lines. The last ones of a text that ends without a line end leave none there, either. */
export function withoutLines(text: string, start: number, end: number): string {
  const [before, after] = [text.slice(0, start), text.slice(end)]
  return after === '' ? before.replace(/\r?\n$/, '') : before + after.replace(/^\r?\n/, '')
}

/** The blanks at the beginning of the line in which this stands. */
export function indentAt(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}
