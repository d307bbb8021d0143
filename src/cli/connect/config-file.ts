import { chmodSync, statSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from '../../io/attempt.ts'
import { makeFolder } from '../../io/disk/made-folder.ts'
import { replaceFile } from '../../io/replaced-file.ts'
import { ignoring } from '../../io/system-error.ts'
import { changeableText, refused, targetOf } from './file-text.ts'
import { ifUnclear, unclear } from './formats/text-format.ts'
import { HALF } from './leftovers.ts'
import { eitherNote, keepNote, type Note, readNote, withNote } from './note.ts'
import { alone, aloneByFolder } from './taking-turns.ts'

const BACKUP = '.before-parley'
const NEW_MODE = 0o600
const FOR_OTHERS = 0o077
const TRIES = 5
/** Programs that write a file in place have it half written for a moment. */
const REST_MS = 200
const LONGEST_WAIT_MS = 5000

/** What is to become of a file. */
interface Change {
  /** Nothing where the file is to go. */
  text: string | undefined
  note: Note
  /** Whether the text that was there had nothing of Parley's in it, so that it is worth a copy. */
  isForeign?: boolean
  /** Whether nobody else may read it. */
  isSecret?: boolean
}

/** A file of somebody else: where it really is, what it holds, and how it was before Parley came. */
export function openConfigFile(path: string, isState = false) {
  const target = targetOf(path)
  const backup = `${target}${BACKUP}`
  const text = () => changeableText(target, isState)
  return { text, before, seen: () => withNote(target, text), mustBePrivate, change, takeBack }

  /** Nothing also where somebody has made something of it that cannot be read: it helps, and nothing depends on it. */
  function before(): string | undefined {
    return attempt(() => changeableText(backup, isState), ifUnclear)
  }

  function mustBePrivate() {
    if (process.platform !== 'win32' && (modeOf(target) & FOR_OTHERS) !== 0)
      throw unclear(`would hold a token, and others may read it; close it with chmod 600 ${target}`)
  }

  /** Replaces what it holds by what is made of it, and keeps what it held where nothing of Parley's was in that. */
  async function change(make: (text: string | undefined, note: Note) => Change): Promise<void> {
    if (process.getuid && text() === undefined) mustBeOurs(dirname(target), process.getuid())
    attempt(() => makeFolder(dirname(target)), refused('is in a folder that cannot be made'))
    await trying(async (now) => {
      const old = readNote(target)
      const made = make(now, old)
      if (made.isSecret) mustBePrivate()
      if (made.text !== now) {
        if (now !== undefined && made.isForeign) keep(backup, now)
        // Whether this process or the next one finds out what became of it, the note is right.
        keepNote(target, eitherNote(old, made.note), HALF)
        if (!(await written(now, made, old))) return false
      }
      keepNote(target, made.note, HALF)
      return true
    })
  }

  /** Replaces what it holds by what is left of it, if anything is; no copy is needed any more then. */
  async function takeBack(left: (text: string | undefined, note: Note) => Change): Promise<void> {
    await trying(async (now) => {
      const rest = left(now, readNote(target))
      const isChanged = rest.text !== now
      if (isChanged && !(await write(now, rest))) return false
      keepNote(target, rest.note, HALF)
      if (isChanged || before() === now) attempt(() => unlinkSync(backup), ignoring())
      return true
    })
  }

  /** What was refused, or put off, is not noted. */
  async function written(now: string | undefined, made: Change, old: Note): Promise<boolean> {
    let isDone = false
    try {
      isDone = await write(now, made)
      return isDone
    } finally {
      if (!isDone) keepNote(target, old, HALF)
    }
  }

  /** Whoever writes it meanwhile is not overwritten: it is tried again with what they wrote. */
  async function trying(act: (text: string | undefined) => Promise<boolean>): Promise<void> {
    const tries = async () => {
      for (let tries = 1; tries <= TRIES; tries++) if (await act(text())) return
      throw unclear('is being changed by somebody else')
    }
    await alone(target, () => (isState ? aloneByFolder(target, tries) : tries()))
  }

  async function write(now: string | undefined, { text: next, isSecret = false }: Change): Promise<boolean> {
    // Who takes turns by a folder never leaves it half written.
    if (!isState) await rest()
    const isWanted = () => text() === now
    if (next === undefined) {
      if (!isWanted()) return false
      attempt(() => unlinkSync(target), refused('cannot be removed'))
      return true
    }
    const mode = modeOf(target)
    return attempt(
      () => replaceFile(target, next, { mode, ending: HALF, isWanted: () => isClosed(mode, isSecret) && isWanted() }),
      refused('cannot be written'),
    )
  }

  /** The half has its mode before it is the file; some disks know no modes. */
  function isClosed(mode: number, isSecret: boolean): boolean {
    const half = target + HALF
    if (modeOf(half) !== mode) attempt(() => chmodSync(half, mode), ignoring())
    if (isSecret && process.platform !== 'win32' && (modeOf(half) & FOR_OTHERS) !== 0)
      throw unclear('would hold a token, and is where others may read every file')
    return true
  }

  async function rest() {
    const deadline = performance.now() + LONGEST_WAIT_MS
    for (;;) {
      const { mtimeMs = 0 } = statSync(target, { throwIfNoEntry: false }) ?? {}
      const age = Date.now() - mtimeMs
      if (age < 0 || age >= REST_MS) return
      if (performance.now() > deadline) throw unclear('is being changed by somebody else')
      await pause(REST_MS - age)
    }
  }

  function keep(path: string, text: string) {
    attempt(
      () => replaceFile(path, text, { mode: modeOf(target) & 0o700, ending: HALF }),
      refused('cannot be kept beside its copy'),
    )
  }
}

/** Whoever has the folder could not read a file of somebody else in it, as one of root. */
function mustBeOurs(folder: string, user: number): void {
  const stats = attempt(() => statSync(folder, { throwIfNoEntry: false }), refused('cannot be read'))
  if (!stats) mustBeOurs(dirname(folder), user)
  else if (stats.uid !== user) throw unclear(`would be made in ${folder}, which belongs to somebody else`)
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? NEW_MODE) & 0o777
}
