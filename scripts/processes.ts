import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface Found {
  pid: number
  command: string
}

const LOOK_AGAIN_MS = 20

/**
 * The processes that have to do with a folder: by what they were started with where the system tells, and otherwise the
 * hubs that were the last ones of data folders in it. Never the one that asks.
 */
export function processesOf(folder: string): Found[] {
  const found = existsSync('/proc/self/environ') ? byWords(folder) : byHubs(folder)
  return found.filter(({ pid }) => pid !== process.pid)
}

/** Also those that are stopped; done when they are gone. */
export async function endProcessesOf(folder: string): Promise<void> {
  while (killProcessesOf(folder) > 0) await pause(LOOK_AGAIN_MS)
}

/** At once, and without looking whether they are gone: how many there were. */
export function killProcessesOf(folder: string): number {
  const found = processesOf(folder)
  for (const { pid } of found) kill(pid)
  return found.length
}

/** Those that are still there after this long. */
export async function stayingIn(folder: string, patienceMs: number): Promise<Found[]> {
  const end = performance.now() + patienceMs
  let left = processesOf(folder)
  while (left.length > 0 && performance.now() < end) {
    await pause(LOOK_AGAIN_MS)
    left = processesOf(folder)
  }
  return left
}

export function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function byWords(folder: string): Found[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    const words = told(pid, 'cmdline')
    if (!words.includes(folder) && !told(pid, 'environ').includes(folder)) return []
    return { pid: Number(pid), command: words.replaceAll('\0', ' ').trim() }
  })
}

function told(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // It has just ended, or belongs to somebody else.
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(code)) return ''
    throw error
  }
}

function byHubs(folder: string): Found[] {
  return globSync('**/last-hub.json', { cwd: folder }).flatMap((file) => {
    const { pid } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    return typeof pid === 'number' && lives(pid) ? { pid, command: `the hub of ${join(folder, file, '..')}` } : []
  })
}
