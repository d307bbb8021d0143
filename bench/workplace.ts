import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** How much a measure does: what its figures are made from, or only enough to see that it works. */
export type Size = 'full' | 'smallest'

export type Workplace = ReturnType<typeof openWorkplace>

// Long enough a time for what a start leaves to do, short of what the collector does only for idle processes.
const SETTLE_SECONDS = 1

interface WorkplaceParts {
  /** The folder that all measures of a run share. */
  home: string
  /** What only this measure has. */
  name: string
  size: Size
}

/** A temporary home for everything that a measure starts, with data folders of the wanted size. */
export function openWorkplace({ home, name, size }: WorkplaceParts) {
  const own = join(home, name)
  let folders = 0
  mkdirSync(own, { recursive: true })
  return { size, env, emptyData, dataWith, filled, file, settle }

  /**
   * Without what would lead a process out of the home, and without a limit on how fast one client measures; a hub takes
   * any port and ends with its last agent and page.
   */
  function env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const own = { PATH: process.env.PATH, HOME: home, TMPDIR: home, PORT: '0', PARLEY_KEEP: '0' }
    return { ...own, PARLEY_MAX_RATE: '1000000', PARLEY_LOG: 'warn', ...more }
  }

  function emptyData(): string {
    return join(own, `data-${++folders}`)
  }

  /** Messages of people and agents, as they leave them. */
  function dataWith(messages: number): Promise<string> {
    return filled(`messages-${messages}`, async (data) => (await import('./prefill.ts')).prefill(data, messages))
  }

  /** A copy of what is filled once in a run, so that no measure sees what another one wrote. */
  async function filled(what: string, fill: (data: string) => Promise<unknown>): Promise<string> {
    const original = join(home, `filled-${what}`)
    if (!existsSync(original)) {
      const data = emptyData()
      await fill(data)
      keep(data, original)
    }
    const copy = emptyData()
    cpSync(original, copy, { recursive: true })
    return copy
  }

  function keep(data: string, original: string) {
    try {
      renameSync(data, original)
    } catch (error) {
      // Another measure of the same run was faster.
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
    }
  }

  function file(name: string): string {
    return join(own, `${name}-${++folders}.db`)
  }

  /** Waits before somebody looks at the memory of a process. */
  async function settle(seconds = SETTLE_SECONDS) {
    if (size === 'full') await pause(seconds * 1000)
  }
}
