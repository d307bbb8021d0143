import { existsSync, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { ifSystemError, isSystemError } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { unclear } from './formats/text-format.ts'

/** No client has one that is nearly as large, unless it keeps more in it than what is configured. */
const LARGEST_BYTES = 4 * 1024 * 1024
const LARGEST_STATE_BYTES = 64 * 1024 * 1024

/** What a file holds that is not to be changed. */
export function readConfigFile(path: string): string | undefined {
  const target = targetOf(path)
  const stats = statsOf(target)
  return stats && textOf(target, stats, true)
}

/** What a file holds that is to be changed: one that belongs to its user alone. `isState`: a client keeps more in it. */
export function changeableText(path: string, isState: boolean): string | undefined {
  const stats = statsOf(path)
  if (!stats) return undefined
  if ((stats.mode & 0o200) === 0) throw unclear('is read-only')
  if (process.getuid && stats.uid !== process.getuid()) throw unclear('belongs to somebody else')
  if (stats.nlink > 1) throw unclear('has another name, a hard link, which would keep the old text; part the two')
  return textOf(path, stats, isState)
}

/** Links stay links: what they lead to is written. */
export function targetOf(path: string): string {
  const isLink = attempt(
    () => lstatSync(path).isSymbolicLink(),
    (error) => (isSystemError(error, 'ENOENT', 'ENOTDIR') ? false : refused('cannot be read')(error)),
  )
  if (!isLink) return path
  return attempt(() => realpathSync(path), refused('is a link to nowhere'))
}

/** Refuses a file of a project that is none: a link of somebody else must not lead into the files of this user. */
export function mustStayIn(project: string, path: string): void {
  const real = realPathOf(targetOf(path))
  if (!real.startsWith(join(realpathSync(project), sep)))
    throw unclear(`leads out of the project by a link, to ${real}`)
}

/** The same work, whose refusals name the file. */
export function naming<Result>(path: string, work: () => Result): Result {
  return attempt(work, named(path))
}

/** For work that takes its time. */
export function named(path: string) {
  return (error: unknown): never => {
    if (!(error instanceof ParleyError) || error.code !== 'unclear_file') throw error
    throw unclear(String(error.details.problem), path)
  }
}

/** What the system refused, as the sentence about the file. */
export function refused(problem: string) {
  return ifSystemError(({ code }) => {
    throw unclear(`${problem} (${code})`)
  })
}

/** Also of what is not there yet. */
function realPathOf(path: string): string {
  const folder = dirname(path)
  return existsSync(path) || folder === path ? realpathSync(path) : join(realPathOf(folder), basename(path))
}

function statsOf(path: string): Stats | undefined {
  return attempt(() => statSync(path, { throwIfNoEntry: false }), refused('cannot be read'))
}

function textOf(path: string, stats: Stats, isState: boolean): string {
  const largest = isState ? LARGEST_STATE_BYTES : LARGEST_BYTES
  if (!stats.isFile()) throw unclear(stats.isDirectory() ? 'is a folder' : 'is not a file')
  if (stats.size > largest) throw unclear(`is larger than ${largest / 1024 / 1024} MB`)
  const bytes = attempt(() => readFileSync(path), refused('cannot be read'))
  return attempt(
    () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    (error) => {
      if (!(error instanceof TypeError)) throw error
      throw unclear('is not UTF-8')
    },
  )
}
