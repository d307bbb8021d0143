import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { killProcessesOf } from '../scripts/processes.ts'
import type { Line } from './statistics.ts'
import type { Size } from './workplace.ts'

const ONE_MEASURE = fileURLToPath(new URL('one-measure.ts', import.meta.url))
// The time for a process to do what only it can: to end a browser, which has a group of its own.
const GRACE_MS = 2000

export interface Terms {
  /** Where all measures of a run live. */
  home: string
  size: Size
  limitMs: number
  /** The program to measure, where it is not that of this checkout. */
  program?: string
}

/**
 * A measure in a process of its own, together with all that it starts: whatever goes wrong with it, also that it never
 * ends, is a line that says so, and nothing of it is left behind.
 */
export async function measureApart(name: string, { home, size, limitMs, program }: Terms): Promise<Line[]> {
  const child = fork(ONE_MEASURE, [name, size, home], {
    execArgv: [],
    // What is measured is started without it.
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(home, 'compiled'),
      ...(program !== undefined && { MEASURED_PARLEY: program }),
    },
    // A group of its own, which can be ended as a whole.
    detached: true,
    // JSON has no word for what is no number.
    serialization: 'advanced',
  })
  const own = join(home, name)
  const kill = () => {
    killGroup(child)
    // The hubs that its agents started belong to no group of its.
    killProcessesOf(own)
  }
  // The listener comes before those that tidy up.
  process.prependListener('exit', kill)
  let lines: Line[] | undefined
  child.on('message', (told: Line[]) => {
    lines ??= told
  })
  const ended = once(child, 'exit')
  let late = false
  const limit = setTimeout(() => {
    late = true
    child.kill('SIGTERM')
    setTimeout(kill, GRACE_MS).unref()
  }, limitMs)
  const [code, signal] = await ended
  clearTimeout(limit)
  kill()
  process.off('exit', kill)
  rmSync(own, { recursive: true, force: true, maxRetries: 5 })
  if (late) return failed(`It took longer than ${Math.round(limitMs / 1000)} s and was ended`)
  return lines ?? failed(`Its process ended with ${signal ?? code} and told nothing`)

  function failed(sentence: string): Line[] {
    return [{ measure: name, failed: sentence }]
  }
}

function killGroup({ pid }: ChildProcess) {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // All of it has ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
