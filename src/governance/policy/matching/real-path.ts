import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, normalize, parse, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { attempt } from '../../../io/attempt.ts'
import { ifError } from '../../../io/if-error.ts'
import { ignoring } from '../../../io/system-error.ts'

/** A path from its root on, step by step. */
export type Steps = readonly string[]

/** One meaning of a path: as it is written, without `.` and `..`, and where it really leads if that can be told. */
export interface Reading {
  written: Steps
  real: Steps | undefined
}

// Linux follows as many links, and no system opens a longer path.
const MOST_LINKS = 40
const LONGEST_PATH = 8192

/** Whether files are found by names in any case, as they usually are there. */
export const CASELESS = process.platform === 'darwin' || process.platform === 'win32'

/** The same for all names that are one file there: neither case nor the way an accent is written counts. */
export function foldedName(name: string): string {
  return name.normalize('NFD').toLowerCase()
}

export function foldedSteps(steps: Steps): Steps {
  return steps.map(foldedName)
}

/** Everything that a path may mean to who opens it; nothing when it is relative to nobody knows where. */
export function readingsOf(path: string, bases: Bases, folders: RealFolders): Reading[] | undefined {
  const whole = wholePaths(path, bases)
  return whole?.flatMap((path) => {
    const normal = normalize(path)
    const written = stepsOf(normal)
    const direct = { written, real: realSteps(normal, folders, written) }
    // Some take `..` away before they follow links, others after.
    return path.includes('..') ? [{ written, real: realSteps(path, folders) }, direct] : [direct]
  })
}

/** Each whole path that a text may stand for; nothing when nobody knows. */
export function wholePaths(path: string, bases: Bases): string[] | undefined {
  const spellings = otherSpellings(path)
  const whole = [path, ...(spellings ?? [])].map((spelling) => absolute(spelling, bases))
  return spellings && whole.every((paths) => paths !== undefined) ? whole.flat() : undefined
}

export function stepsOf(absolutePath: string): Steps {
  const root = sep === '/' ? '/' : parse(absolutePath).root
  const steps = absolutePath.slice(root.length).split(SEPARATOR)
  return [sep === '/' ? root : normalize(root), ...(steps.includes('') ? steps.filter((step) => step !== '') : steps)]
}

/** Facts about folders, for as long as they may be trusted: one decision. */
export interface RealFolders {
  caseless: boolean
  real: Map<string, string | undefined>
}

export function realFolders(caseless: boolean): RealFolders {
  return { caseless, real: new Map() }
}

/** The path with every link followed and names as they are, also where its end is not there yet. */
export function realSteps(path: string, known: RealFolders, own = stepsOf(path)): Steps | undefined {
  if (path.length > LONGEST_PATH || path.includes('\0')) return undefined
  const real = atOnce(path, known)
  if (real === undefined) return stepByStep(own, known.caseless)
  return real === path ? own : stepsOf(real)
}

const NOT_NORMAL = /\/\.{0,2}(?:\/|$)/

/** The system knows a folder faster than one can go there; nothing where a link leads on from it. */
function atOnce(path: string, known: RealFolders): string | undefined {
  if (known.caseless || !path.startsWith('/') || NOT_NORMAL.test(path)) return undefined
  let end = path.lastIndexOf('/')
  let folder = realFolder(path.slice(0, end), known)
  while (folder === undefined) {
    end = path.lastIndexOf('/', end - 1)
    folder = realFolder(path.slice(0, end), known)
  }
  const next = path.indexOf('/', end + 1)
  const target = linkAt(folder + path.slice(end, next === -1 ? undefined : next))
  return target === MISSING || target === NO_LINK ? folder + path.slice(end) : undefined
}

/** A folder without a slash at its end, also for the root. */
function realFolder(path: string, { real }: RealFolders): string | undefined {
  if (path === '') return ''
  if (!real.has(path)) real.set(path, existsSync(path) ? nativePath(path)?.replace(/\/$/, '') : undefined)
  return real.get(path)
}

function nativePath(path: string): string | undefined {
  // The path may be gone since, or not to be looked at.
  return attempt(() => realpathSync.native(path), ignoring())
}

function stepByStep([root = '', ...steps]: Steps, caseless: boolean): Steps | undefined {
  const ahead = steps.reverse()
  let real = [root]
  let there = 1
  let links = 0
  let missing = false
  for (let step = ahead.pop(); step !== undefined; step = ahead.pop()) {
    if (step === '.') continue
    if (step === '..') {
      if (real.length > 1) real.pop()
      there = Math.min(there, real.length)
      missing = false
      continue
    }
    // There is nothing below what is not there.
    const target: ReturnType<typeof linkAt> = missing ? MISSING : linkAt(join(...real, step))
    if (target === undefined) return undefined
    if (target === MISSING || target === NO_LINK) {
      missing = target === MISSING
      real.push(step)
      if (!missing) there = real.length
      continue
    }
    if (++links > MOST_LINKS) return undefined
    if (isAbsolute(target)) {
      const [other = root, ...rest] = stepsOf(target)
      real = [other]
      there = 1
      ahead.push(...rest.reverse())
    } else
      ahead.push(
        ...target
          .split(SEPARATOR)
          .filter((step) => step !== '')
          .reverse(),
      )
  }
  return caseless ? withRealCase(real, there) : real
}

/** Only the system knows how existing names are written. */
function withRealCase(steps: string[], there: number): Steps | undefined {
  const real = nativePath(join(...steps.slice(0, there)))
  return real === undefined ? undefined : [...stepsOf(real), ...steps.slice(there)]
}

const SEPARATOR = sep === '/' ? '/' : /[\\/]/

const HOME = /^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/
/** The home of somebody, or a variable. */
const ELSEWHERE = /^(?:~[\w.+-]+|\$[A-Za-z_]\w*|\$\{\w+\})(?=\/|$)/

/**
 * Some servers take blanks and quotes away, `~` or `$HOME` for the home of their user, and addresses of files. Nothing
 * when they take it for something that only they know.
 */
function otherSpellings(path: string): string[] | undefined {
  const bare = path.trim()
  const unquoted = bare.replace(/^(["'])(.*)\1$/s, '$2')
  const plain = [bare, unquoted].filter((spelling, n, all) => spelling !== '' && spelling !== (all[n - 1] ?? path))
  if (HOME.test(unquoted)) return [...plain, join(homedir(), unquoted.replace(HOME, ''))]
  if (ELSEWHERE.test(unquoted)) return undefined
  const address = unquoted.replace(/[\t\r\n]/g, '')
  if (!/^file:/i.test(address)) return plain
  return attempt(
    () => [...plain, fileURLToPath(address)],
    ifError(TypeError, () => undefined),
  )
}

/** The folders that a path may be relative to. */
type Bases = readonly string[] | undefined

function absolute(path: string, bases: Bases): string[] | undefined {
  if (isAbsolute(path)) return [path]
  const isKnown = bases !== undefined && bases.length > 0 && bases.every((base) => isAbsolute(base))
  return isKnown ? bases.map((base) => `${base}${sep}${path}`) : undefined
}

const NO_LINK = ''
const MISSING = null

/** The target of a link, and nothing when nobody can tell. */
function linkAt(path: string): string | typeof MISSING | undefined {
  return attempt(() => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    return found ? (found.isSymbolicLink() ? readlinkSync(path) : NO_LINK) : MISSING
  }, ignoring())
}
