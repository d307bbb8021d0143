import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { attempt } from '../attempt.ts'
import { ignoring } from '../system-error.ts'

/** What a process has taken of the machine. */
interface ProcessUse {
  /** Time of the processor since it began, in milliseconds. */
  cpuMs: number
  /** In bytes. */
  memory: number
}

/** Linux counts in hundredths of a second, whatever its clock is. */
const TICK_MS = 10
const GONE = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']

/** Of those that are there; nothing on a system that does not tell. */
export function usesOf(pids: number[]): Map<number, ProcessUse> {
  if (process.platform === 'win32' || pids.length === 0) return new Map()
  return process.platform === 'linux' ? onLinux(pids) : byPs(pids)
}

function onLinux(pids: number[]): Map<number, ProcessUse> {
  return new Map(
    pids.flatMap((pid): [number, ProcessUse][] => {
      const stat = read(`/proc/${pid}/stat`)
      // The name may hold anything; what follows its parenthesis are fields by number, from the third on.
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13)
        .map(Number)
      const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`)) ?? []
      if (user === undefined || system === undefined || kilobytes === undefined) return []
      return [[pid, { cpuMs: (user + system) * TICK_MS, memory: Number(kilobytes) * 1024 }]]
    }),
  )
}

function byPs(pids: number[]): Map<number, ProcessUse> {
  const args = ['-o', 'pid=,time=,rss=', '-p', pids.join(',')]
  // It fails where one of them is gone, and has told of the others then.
  const told = attempt(() => execFileSync('ps', args, { encoding: 'utf8' }), toldBefore)
  return new Map(
    told.split('\n').flatMap((line): [number, ProcessUse][] => {
      const [, pid, days = '0', time, kilobytes] = /^\s*(\d+)\s+(?:(\d+)-)?([\d:.]+)\s+(\d+)\s*$/.exec(line) ?? []
      if (time === undefined) return []
      const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
      const cpuMs = (Number(days) * 24 * 3600 + seconds) * 1000
      return [[Number(pid), { cpuMs, memory: Number(kilobytes) * 1024 }]]
    }),
  )
}

function toldBefore(error: unknown): string {
  const { stdout } = error as { stdout?: unknown }
  if (typeof stdout !== 'string') throw error
  return stdout
}

function read(path: string): string {
  return attempt(() => readFileSync(path, 'utf8'), ignoring(...GONE)) ?? ''
}
