import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, statSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { replaceFile } from '../../io/replaced-file.ts'
import { ifSystemError, ignoring } from '../../io/system-error.ts'
import { ifUnclear, unclear } from './formats/text-format.ts'

/** No client has one that is nearly as large, unless it keeps more in it than what is configured. */
const LARGEST_BYTES = 4 * 1024 * 1024
const LARGEST_READ_BYTES = 64 * 1024 * 1024
const BACKUP = '.before-parley'
/** Of each process its own, as two may be at it at once. */
const HALF = `.${process.pid}.parley-new`
const NEW_MODE = 0o600
const TRIES = 3

/** What a file holds that is not to be changed. */
export function readConfigFile(path: string): string | undefined {
  return textOf(targetOf(path), LARGEST_READ_BYTES)
}

/** A file of somebody else: where it really is, what it holds, and how it was before Parley came. */
export function openConfigFile(path: string) {
  const target = targetOf(path)
  const backup = `${target}${BACKUP}`
  return { text: () => textOf(target), before, change, takeBack }

  /** Nothing also where somebody has made something of it that cannot be read: it helps, and nothing depends on it. */
  function before(): string | undefined {
    return attempt(() => textOf(backup), ifUnclear)
  }

  /** Replaces what it holds by what is made of it, and keeps what it held where nothing of Parley's was in that. */
  function change(make: (text: string) => string, isForeign: (text: string) => boolean): void {
    trying((text) => {
      const made = make(text ?? '')
      if (made === text) return true
      if (text !== undefined && isForeign(text)) keep(backup, text)
      return write(text, made)
    })
  }

  /** Replaces what it holds by what is left of it, if anything is; no copy is needed any more then. */
  function takeBack(left: (text: string) => string | undefined): void {
    trying((text) => {
      const rest = text === undefined ? text : left(text)
      if (rest === text && before() !== text) return true
      const done = rest === text || (rest === undefined ? discard(text) : write(text, rest))
      if (done) attempt(() => unlinkSync(backup), ignoring())
      return done
    })
  }

  /** Whoever writes it meanwhile is not overwritten: it is tried again with what they wrote. */
  function trying(act: (text: string | undefined) => boolean): void {
    for (let tries = 1; tries <= TRIES; tries++) if (act(textOf(target))) return
    throw unclear('is being changed by somebody else')
  }

  /** It was not there before, so that nothing of it stays. */
  function discard(text: string | undefined): boolean {
    if (textOf(target) !== text) return false
    attempt(() => unlinkSync(target), refused('cannot be removed'))
    return true
  }

  function write(before: string | undefined, text: string): boolean {
    const mode = modeOf(target)
    attempt(
      () => mkdirSync(dirname(target), { recursive: true, mode: 0o700 }),
      refused('is in a folder that cannot be made'),
    )
    const isWanted = () => textOf(target) === before
    const done = attempt(
      () => replaceFile(target, text, { mode, ending: HALF, isWanted }),
      refused('cannot be written'),
    )
    // The mask of the process takes some of it away.
    if (done && before !== undefined) chmodSync(target, mode)
    return done
  }

  function keep(path: string, text: string) {
    attempt(
      () => replaceFile(path, text, { mode: modeOf(target) & 0o700, ending: HALF }),
      refused('cannot be kept beside its copy'),
    )
  }
}

/** Links stay links: what they lead to is written. */
function targetOf(path: string): string {
  const isLink = attempt(() => lstatSync(path).isSymbolicLink(), ignoring('ENOENT', 'ENOTDIR'))
  if (!isLink) return path
  return attempt(() => realpathSync(path), refused('is a link to nowhere'))
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? NEW_MODE) & 0o777
}

function textOf(path: string, largest = LARGEST_BYTES): string | undefined {
  const stats = attempt(() => statSync(path, { throwIfNoEntry: false }), refused('cannot be read'))
  if (!stats) return undefined
  if (!stats.isFile()) throw unclear(stats.isDirectory() ? 'is a folder' : 'is no file')
  if (stats.size > largest) throw unclear(`is larger than ${largest / 1024 / 1024} MB`)
  if ((stats.mode & 0o200) === 0) throw unclear('is read-only')
  if (process.getuid && stats.uid !== process.getuid()) throw unclear('belongs to somebody else')
  const bytes = attempt(() => readFileSync(path), refused('cannot be read'))
  return attempt(
    () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    (error) => {
      if (!(error instanceof TypeError)) throw error
      throw unclear('is no UTF-8')
    },
  )
}

function refused(problem: string) {
  return ifSystemError(({ code }) => {
    throw unclear(`${problem} (${code})`)
  })
}
