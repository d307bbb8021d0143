import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { lastHub } from '../src/doors/socket/last-hub.ts'
import { patiently } from './patience.ts'

const LOOK_MS = 5

/** The process that is the hub of a data folder, whoever started it. */
export function hubOf(data: string) {
  const hub = lastHub(data)
  if (!hub) throw new Error(`There never was a hub of ${data}`)
  const { pid, port } = hub
  return { pid, url: `ws://127.0.0.1:${port}`, gone: () => patiently('the end of the hub', gone(pid)) }
}

/** Resolves when the process is gone, and with it its socket and lock. Only its parent would be told. */
async function gone(pid: number): Promise<void> {
  while (commandOf(pid) !== '') await pause(LOOK_MS)
}

/** The command of a process; empty for one that ended, even where nobody has taken note of that yet. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ESRCH') return ''
    throw error
  }
}
