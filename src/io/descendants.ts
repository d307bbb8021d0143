import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { attempt } from './attempt.ts'
import { ignoring } from './system-error.ts'

/** One process, never mistaken for a later one with the same number. */
export interface Proc {
  pid: number
  parent: number
  /** The start of the process, in whatever unit the system has. */
  began: string
  /** Its command line. On Linux it is read when it is asked for: looking at all processes takes long. */
  readonly command: string
}

/** A process, and what the variable says that it carries. */
export interface Marked {
  proc: Proc
  value: string
}

interface Family {
  pid: number
  /**
   * `NAME=value` in the environment of all of them: on Linux they are found by it, whoever their parent is by now. A
   * process with an empty `NAME=` is none of them, nor is what it started.
   */
  mark: string
  /** Processes with this in their command line are left out, and so is what they started. */
  spared?: string
}

/** How the system says that a process is not there, or is another user's. */
const GONE = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']

/** Everything that descends from a process, without itself. */
export function descendantsOf({ pid, mark, spared }: Family): Proc[] {
  const nobodys = mark.slice(0, mark.indexOf('=') + 1)
  const found = new Map<number, Proc>()
  const others = allProcesses().filter((proc) => {
    if (proc.pid === pid) return false
    const environment = environmentOf(proc.pid)
    if (environment.includes(mark) && !isSpared(proc)) found.set(proc.pid, proc)
    return !environment.includes(nobodys)
  })
  for (let before = -1; before !== found.size; ) {
    before = found.size
    for (const proc of others) {
      const isStarted = proc.parent === pid || found.has(proc.parent)
      if (isStarted && !found.has(proc.pid) && !isSpared(proc)) found.set(proc.pid, proc)
    }
  }
  return [...found.values()]

  function isSpared({ command }: Proc): boolean {
    return spared !== undefined && command.includes(spared)
  }
}

/** Processes that carry this name in their environment, where the system shows that. */
export function processesMarked(name: string): Marked[] {
  if (process.platform !== 'linux') return []
  return pidsOfLinux().flatMap((pid) => {
    const line = environmentOf(pid).find((text) => text.startsWith(`${name}=`))
    const proc = line && linuxProcess(pid)
    return proc ? { proc, value: line.slice(name.length + 1) } : []
  })
}

export function processWith(pid: number): Proc | undefined {
  return process.platform === 'linux' ? linuxProcess(pid) : allProcesses().find((proc) => proc.pid === pid)
}

export function killAll(procs: Proc[]): void {
  for (const proc of procs) if (isThere(proc)) signal(proc.pid, 'SIGKILL')
}

/** A signal is not at once. */
export async function areGone(procs: Proc[]): Promise<void> {
  while (procs.some(isThere)) await pause(10)
}

function isThere(proc: Proc): boolean {
  return processWith(proc.pid)?.began === proc.began
}

/** Says whether there was anybody to get it. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  return attempt(() => process.kill(pid, name), ignoring(...GONE)) ?? false
}

function allProcesses(): Proc[] {
  if (process.platform === 'linux') return pidsOfLinux().flatMap((pid) => linuxProcess(pid) ?? [])
  if (process.platform === 'win32') return []
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,lstart=,command='], { encoding: 'utf8' })
  return lines.split('\n').flatMap((line) => {
    const [, pid, parent, began = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*?\d{4})\s+(.*)$/.exec(line) ?? []
    return pid ? { pid: Number(pid), parent: Number(parent), began, command } : []
  })
}

function pidsOfLinux(): number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
}

/** The name stands in parentheses and may hold anything; what follows are fields by number. A zombie is no process. */
function linuxProcess(pid: number): Proc | undefined {
  const stat = read(`/proc/${pid}/stat`)
  const [state, parent, ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (!parent || state === 'Z') return undefined
  return {
    pid,
    parent: Number(parent),
    began: more[17] ?? '',
    get command() {
      return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
    },
  }
}

function environmentOf(pid: number): string[] {
  return process.platform === 'linux' ? read(`/proc/${pid}/environ`).split('\0') : []
}

/** Empty for a process that has just ended, or is another user's. */
function read(path: string): string {
  return attempt(() => readFileSync(path, 'utf8'), ignoring(...GONE)) ?? ''
}
