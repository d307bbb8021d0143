import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'
import { compileGlob, fitsRuns, type Glob, literally, problemInGlob } from './glob.ts'
import {
  CASELESS,
  foldedName,
  foldedSteps,
  type Reading,
  type RealFolders,
  realFolders,
  realSteps,
  type Steps,
  stepsOf,
} from './real-path.ts'

/** The folder where the caller works: nothing when it is not known. */
export interface CallerFolder {
  cwd: Reading | undefined
}

type Readings = readonly Reading[] | undefined

interface PathGlob {
  /** The path leads there, whatever it means. */
  surely(readings: Readings, caller: CallerFolder): boolean
  /** It may lead there. */
  perhaps(readings: Readings, caller: CallerFolder): boolean
}

/**
 * A `*` in a path stays within a name, and `**` is any number of folders, none too: `/site/**` is `/site` and all in
 * it. Where the file system does not tell `A` from `a`, what may lead there is seen without case.
 */
export function compilePathGlob(pattern: string, caseless = CASELESS): PathGlob {
  const units = namesIn(pattern).map(unitOf)
  const fromCwd = isFromCwd(pattern)
  let last: { cwd: string; runs: Runs } | undefined
  return { surely, perhaps }

  function surely(readings: Readings, caller: CallerFolder): boolean {
    const runs = runsFor(caller)
    if (!readings || !runs) return false
    for (const { real } of readings) if (!fits(runs.real, real)) return false
    return true
  }

  function perhaps(readings: Readings, caller: CallerFolder): boolean {
    const runs = runsFor(caller)
    if (!readings || !runs) return true
    return readings.some(({ written, real }) => !real || isWay(runs, inCase(written)) || isWay(runs, inCase(real)))
  }

  /** The pattern as it is for who works there; nearly always that is who was there before. */
  function runsFor({ cwd }: CallerFolder): Runs | undefined {
    if (fromCwd && !cwd?.real) return undefined
    const name = fromCwd ? [...(cwd?.written ?? []), ...(cwd?.real ?? [])].join('/') : ''
    if (last?.cwd !== name) last = { cwd: name, runs: compiled(fromCwd ? cwd : undefined) }
    return last.runs
  }

  function compiled(cwd: Reading | undefined): Runs {
    const real = withRealHead([...(cwd?.real ?? []), ...units], realFolders(caseless))
    const written = [...(cwd?.written ?? []), ...units]
    return {
      real: runsOf(real),
      written: runsOf(caseless ? written.map(folded) : written),
      perhaps: runsOf(caseless ? real.map(folded) : real),
    }
  }

  function inCase(steps: Steps): Steps {
    return caseless ? foldedSteps(steps) : steps
  }
}

export function problemInPathGlob(pattern: string): string | undefined {
  const problem = problemInGlob(pattern)
  if (problem) return problem
  if (!isFromCwd(pattern) && !isAbsolute(atHome(pattern)))
    return 'fits no path, because all are whole; begin it with "/", "~/" or, for where the agent works, "./"'
  if (pattern.length > 1 && pattern.endsWith('/')) return `ends with "/"; write "${pattern}**" for all that is in it`
  if (/(?<!\\)(?:\\\\)*\\\//.test(pattern)) return 'has a backslash before "/", which is never anything but plain'
  const names = rest(pattern).split('/').slice(1)
  if (names.some((name) => name === '.' || name === '..')) return 'has a "." or "..", which no path has any more'
  if (rest(pattern) !== '/' && names.includes('')) return 'has "//", which no path has any more'
  if (names.some((name) => name !== '**' && name.includes('**')))
    return 'has "**" beside other characters; it is a whole step of a path'
  return undefined
}

type Unit = string | (Glob & { name: string })
const MANY = null

/**
 * A pattern with the links followed that it begins with; to be unsure also as it is written, both without case where
 * there is none.
 */
interface Runs {
  real: Unit[][]
  written: Unit[][]
  perhaps: Unit[][]
}

function isWay({ written, perhaps }: Runs, steps: Steps): boolean {
  return fits(written, steps) || fits(perhaps, steps)
}

function fits(runs: Unit[][], steps: Steps | undefined): boolean {
  return steps !== undefined && fitsRuns(runs, steps, isName)
}

function isName(unit: Unit, name: string): boolean {
  return typeof unit === 'string' ? unit === name : unit.fits(name)
}

function isFromCwd(pattern: string): boolean {
  return pattern === '.' || pattern.startsWith('./')
}

function atHome(pattern: string): string {
  return pattern === '~' || pattern.startsWith('~/') ? `${home()}${pattern.slice(1)}` : pattern
}

/** The pattern without what stands for a folder at its beginning. */
function rest(pattern: string): string {
  return /^[~.](?=\/|$)/.test(pattern) ? pattern.slice(1) : pattern
}

function home(): string {
  return literally(homedir().split(sep).join('/'))
}

function namesIn(pattern: string): string[] {
  if (isFromCwd(pattern)) return pattern.split('/').slice(1)
  const [root = '', ...names] = atHome(pattern).split('/')
  return [join(`${root}/`), ...names.filter((name) => name !== '')]
}

function unitOf(name: string): Unit | typeof MANY {
  if (name === '**') return MANY
  const glob = compileGlob(name)
  return glob.literal ?? { ...glob, name }
}

function folded(unit: Unit | typeof MANY): Unit | typeof MANY {
  if (unit === MANY) return MANY
  return typeof unit === 'string' ? foldedName(unit) : unitOf(foldedName(unit.name))
}

function headOf(units: Unit[]): string[] {
  const end = units.findIndex((unit) => typeof unit !== 'string')
  return (end === -1 ? units : units.slice(0, end)) as string[]
}

/** The beginning of a pattern may be a link itself. */
function withRealHead(units: (Unit | typeof MANY)[], known: RealFolders): (Unit | typeof MANY)[] {
  const end = units.indexOf(MANY)
  const head = headOf((end === -1 ? units : units.slice(0, end)) as Unit[])
  const path = join(...head)
  return [...(realSteps(path, known) ?? stepsOf(path)), ...units.slice(head.length)]
}

function runsOf(units: (Unit | typeof MANY)[]): Unit[][] {
  const runs: Unit[][] = [[]]
  for (const unit of units) {
    if (unit === MANY) runs.push([])
    else runs.at(-1)?.push(unit)
  }
  return runs
}
