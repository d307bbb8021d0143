import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { lives } from './processes.ts'

/** The number of builds that stay; a person may go back and forth between branches. */
const KEPT = 3
/** Who has read an entry of the library has its parts by then. */
const READ_BY_THEN_MS = 60_000
/** The file whose time tells when a build became the current one. */
const STAMP = 'built'
/** Where each process that may still load from a build has a file named by its pid; see `starter.ts`. */
export const USERS = 'processes'

/**
 * The builds in a `dist` folder, each in a folder of its own, and a file that names the current one. What runs goes on
 * with the build that it was started from, whatever is built meanwhile.
 */
export function openBuilds(dist: string) {
  const builds = join(dist, 'builds')
  mkdirSync(builds, { recursive: true })
  return { folderOf, has, isCurrent, begin, finish, switchTo, publish }

  function folderOf(name: string): string {
    return join(builds, name)
  }

  function has(name: string): boolean {
    return existsSync(folderOf(name))
  }

  function isCurrent(name: string): boolean {
    return existsSync(join(dist, 'current')) && readFileSync(join(dist, 'current'), 'utf8') === name && has(name)
  }

  /** The folder to build in: what is not finished has no name that anybody would load from. */
  function begin(name: string): string {
    const folder = join(builds, `.${name}-${process.pid}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    return folder
  }

  function finish(name: string, folder: string): void {
    writeFileSync(join(folder, STAMP), '')
    try {
      renameSync(folder, folderOf(name))
    } catch (error) {
      // Another build of the same sources was faster.
      if (!has(name)) throw error
      rmSync(folder, { recursive: true })
    }
  }

  function switchTo(name: string): void {
    const now = new Date()
    utimesSync(join(folderOf(name), STAMP), now, now)
    replaceFile(join(dist, 'current'), (file) => writeFileSync(file, name))
    removeOld(name)
  }

  /** A folder of the build where other programs find it by a name that never changes: new files before the old ones go. */
  function publish(name: string, folder: string): void {
    const from = join(folderOf(name), folder)
    const to = join(dist, folder)
    const files = globSync('**', { cwd: from }).filter((file) => statSync(join(from, file)).isFile())
    // Those that others load by name come last, when what they import is there.
    const [entries, parts] = [files.filter((file) => !isPart(file)), files.filter(isPart)]
    for (const file of [...parts, ...entries]) {
      mkdirSync(join(to, file, '..'), { recursive: true })
      replaceFile(join(to, file), (copy) => cpSync(join(from, file), copy))
    }
    const old = globSync('**', { cwd: to }).filter((file) => !files.includes(file) && statSync(join(to, file)).isFile())
    // Somebody may have read the entry that was there before, and come for its parts now.
    for (const file of old) if (!isPart(file) || isOld(join(to, file))) rmSync(join(to, file))
  }

  function removeOld(current: string): void {
    const names = readdirSync(builds)
    const finished = names.filter((name) => !name.startsWith('.')).sort((a, b) => age(a) - age(b))
    const old = finished.filter((name, place) => name !== current && place >= KEPT && !isUsed(folderOf(name)))
    const abandoned = names.filter((name) => name.startsWith('.') && !lives(Number(name.split('-')[1])))
    for (const name of [...old, ...abandoned]) rmSync(join(builds, name), { recursive: true, force: true })
  }

  function age(name: string): number {
    return -(statSync(join(builds, name, STAMP), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  }
}

function isPart(file: string): boolean {
  return basename(file).startsWith('part-')
}

/** No reader ever sees half of it. */
function replaceFile(file: string, write: (beside: string) => void): void {
  const beside = `${file}.${process.pid}`
  write(beside)
  renameSync(beside, file)
}

function isUsed(folder: string): boolean {
  const users = join(folder, USERS)
  return existsSync(users) && readdirSync(users).some((pid) => lives(Number(pid)))
}

function isOld(file: string): boolean {
  return Date.now() - statSync(file).mtimeMs > READ_BY_THEN_MS
}
