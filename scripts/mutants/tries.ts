import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Event, journalOf, readEvents } from './journal.ts'

/** Longer than any try of a test with all that is closed after it. */
const STUCK_MS = 60_000
const LOOK_MS = 1000

/** Runs the tests of the copy until each of them has met its mutants. */
export async function tryMutants(copy: string, folder: string, tests: string[]): Promise<void> {
  const journal = journalOf(folder)
  for (;;) {
    const left = testsLeft()
    if (left.length === 0) return
    await runOnce(left)
    // A worker that ended in the middle of a try was ended by the mutant.
    const lost = unfinished()
    for (const id of lost.values()) say({ killed: id, by: 'the end of the process', why: 'it ended' })
    if (lost.size === 0 && testsLeft().length === left.length) throw new Error(`Cannot be run: ${left.join(', ')}`)
  }

  function testsLeft(): string[] {
    const done = readEvents(journal).flatMap((event) => ('file' in event ? relative(copy, event.file) : []))
    return tests.filter((test) => !done.includes(test))
  }

  async function runOnce(files: string[]): Promise<void> {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutants/vitest.config.ts', ...files]
    const env = { ...process.env, PARLEY_MUTANTS: folder }
    const child = spawn(process.execPath, args, { cwd: copy, env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = new Promise<'ended'>((resolve) => child.on('close', () => resolve('ended')))
    const since = new Map<string, number>()
    while ((await Promise.race([ended, pause(LOOK_MS)])) !== 'ended')
      for (const [pid, id] of unfinished()) {
        const name = `${pid} ${id}`
        since.set(name, since.get(name) ?? performance.now())
        if (performance.now() - (since.get(name) ?? 0) > STUCK_MS) process.kill(pid, 'SIGKILL')
      }
  }

  /** What each worker is trying. */
  function unfinished(): Map<number, number> {
    const trying = new Map<number, number>()
    for (const event of readEvents(journal)) {
      if ('trying' in event) trying.set(event.pid, event.trying)
      if ('tried' in event) trying.delete(event.pid)
      if ('killed' in event) for (const [pid, id] of trying) if (id === event.killed) trying.delete(pid)
    }
    return trying
  }

  function say(event: Event): void {
    appendFileSync(journal, `${JSON.stringify(event)}\n`)
  }
}
