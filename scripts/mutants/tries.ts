import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lives } from '../processes.ts'
import { type Event, journalOf, readEvents, type Trying } from './journal.ts'

/** Longer than any try of a test with all that is closed after it. */
const STUCK_MS = 120_000
const LOOK_MS = 1000

/** Runs the tests of the copy until each of them has met its mutants, and alone with those that it hung with. */
export async function tryMutants(copy: string, folder: string, tests: string[]): Promise<void> {
  await tryIn(copy, folder, tests)
  const hung = readEvents(journalOf(folder)).flatMap((event) => ('hung' in event ? relative(copy, event.file) : []))
  await tryIn(copy, folder, [...new Set(hung)], true)
}

async function tryIn(copy: string, folder: string, tests: string[], isAlone = false): Promise<void> {
  const journal = journalOf(folder)
  const begun = readEvents(journal).length
  for (;;) {
    const left = testsLeft()
    if (left.length === 0) return
    const before = readEvents(journal).length
    await runOnce(left)
    if (testsLeft().length === left.length && readEvents(journal).length === before)
      throw new Error(`Cannot be run: ${left.join(', ')}`)
  }

  function testsLeft(): string[] {
    const events = readEvents(journal).slice(begun)
    // The file of a test that hung has to go on behind it.
    const done = events.flatMap((event) => ('file' in event && !('hung' in event) ? relative(copy, event.file) : []))
    return tests.filter((test) => !done.includes(test))
  }

  async function runOnce(files: string[]): Promise<void> {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutants/vitest.config.ts', ...files]
    const env = { ...process.env, PARLEY_MUTANTS: folder, ...(isAlone && { PARLEY_MUTANTS_ALONE: '1' }) }
    const child = spawn(process.execPath, args, { cwd: copy, env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'close').then(() => 'ended')
    let heard = 0
    let quietSince = performance.now()
    while ((await Promise.race([ended, pause(LOOK_MS)])) !== 'ended') {
      endLost()
      const { length } = readEvents(journal)
      if (length > heard) quietSince = performance.now()
      heard = length
      if (performance.now() - quietSince > 2 * STUCK_MS) child.kill('SIGKILL')
    }
    endLost()
  }

  /** A worker that ended in the middle of a try was ended by the mutant; one that never ends is ended here. */
  function endLost(): void {
    for (const [pid, { trying, at }] of unfinished()) {
      const isStuck = Date.now() - at > STUCK_MS
      if (!isStuck && lives(pid)) continue
      if (lives(pid)) process.kill(pid, 'SIGKILL')
      say({ killed: trying, by: isStuck ? 'the clock' : 'the end of its process', why: '' })
    }
  }

  /** What each worker is trying. */
  function unfinished(): Map<number, Trying> {
    const trying = new Map<number, Trying>()
    for (const event of readEvents(journal)) {
      if ('trying' in event) trying.set(event.pid, event)
      if ('tried' in event) trying.delete(event.pid)
      const over = 'killed' in event ? event.killed : 'hung' in event ? event.hung : undefined
      for (const [pid, { trying: id }] of trying) if (id === over) trying.delete(pid)
    }
    return trying
  }

  function say(event: Event): void {
    appendFileSync(journal, `${JSON.stringify(event)}\n`)
  }
}
