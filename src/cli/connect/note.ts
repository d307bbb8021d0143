import { unlinkSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../../io/attempt.ts'
import { replaceFile } from '../../io/replaced-file.ts'
import { ignoring } from '../../io/system-error.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { readConfigFile, refused } from './file-text.ts'
import { ifUnclear, isObject } from './formats/text-format.ts'

const NOTE = '.by-parley'
const FORMAT = 1
/** Enough where nobody writes it without end. */
const LOOKS = 5

/** What `parley connect` wrote into a file. Only that is its own; everything else in the file is somebody's. */
export interface Note {
  /** Whether the file was not there before. */
  isMade: boolean
  /** By where it stands. Two values in one place are in doubt: a process that was killed wrote either. */
  written: Record<string, unknown[]>
}

const NOTHING: Note = { isMade: false, written: {} }

/** Nothing is known to be Parley's where there is no note, or none that can be read. */
export function readNote(target: string): Note {
  const text = attempt(() => readConfigFile(target + NOTE), ifUnclear)
  const note = text === undefined ? undefined : jsonIn(text)
  if (!isObject(note) || note.format !== FORMAT || !isObject(note.written)) return NOTHING
  const lists = Object.entries(note.written).filter((pair): pair is [string, unknown[]] => Array.isArray(pair[1]))
  return { isMade: note.isMade === true, written: Object.fromEntries(lists) }
}

/** A text and the note about it at one moment: another process may change both between two looks. */
export function withNote<Text>(target: string, read: () => Text): { text: Text; note: Note } {
  for (let looks = 1; ; looks++) {
    const text = read()
    const note = readNote(target)
    if (looks === LOOKS || read() === text) return { text, note }
  }
}

export function keepNote(target: string, note: Note, ending: string): void {
  if (isDeepStrictEqual(note, readNote(target))) return
  const path = target + NOTE
  if (Object.keys(note.written).length === 0) attempt(() => unlinkSync(path), ignoring())
  else
    attempt(
      () => replaceFile(path, `${JSON.stringify({ format: FORMAT, ...note }, null, 2)}\n`, { ending }),
      refused('cannot be noted beside it'),
    )
}

/** What is Parley's if it is not known which of two notes came true. */
export function eitherNote(one: Note, other: Note): Note {
  const places = [...new Set([one, other].flatMap(({ written }) => Object.keys(written)))]
  const values = (place: string) => [...(one.written[place] ?? []), ...(other.written[place] ?? [])]
  return { isMade: other.isMade, written: Object.fromEntries(places.map((place) => [place, unique(values(place))])) }
}

function unique(values: unknown[]): unknown[] {
  return values.filter((value, n) => values.findIndex((other) => isDeepStrictEqual(other, value)) === n)
}
