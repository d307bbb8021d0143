import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prefill } from './prefill.ts'

export type Workplace = ReturnType<typeof openWorkplace>

/** A temporary home for everything that a benchmark starts, with data folders of the wanted size. */
export function openWorkplace() {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-'))
  const filled = new Map<number, Promise<string>>()
  let folders = 0
  return { home, env, emptyData, dataWith, file, close }

  /** Without what would lead a process out of the home, and without a limit on how fast one client measures. */
  function env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: home, PARLEY_MAX_RATE: '1000000', PARLEY_LOG: 'warn', ...more }
  }

  function emptyData(): string {
    return join(home, `data-${++folders}`)
  }

  /** A copy, so that no measure sees what another one wrote. */
  async function dataWith(messages: number): Promise<string> {
    const original = filled.get(messages) ?? prefill(emptyData(), messages)
    filled.set(messages, original)
    const copy = emptyData()
    cpSync(await original, copy, { recursive: true })
    return copy
  }

  function file(name: string): string {
    return join(home, `${name}-${++folders}.db`)
  }

  function close() {
    rmSync(home, { recursive: true, force: true })
  }
}
