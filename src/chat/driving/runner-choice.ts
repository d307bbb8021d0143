import type { Clock } from '../../io/clock.ts'
import { changeNote, type Notes } from '../../log/notes.ts'
import type { Unanswered } from '../../protocol/entries/unanswered.ts'
import type { Runner } from '../../protocol/frames/driving.ts'
import type { Runners } from './runners.ts'

export type RunnerChoice = ReturnType<typeof createRunnerChoice>

interface ChoiceParts {
  runners: Pick<Runners, 'all' | 'offeredToAll' | 'onChange' | 'onCome'>
  notes: Pick<Notes, 'get' | 'put'>
  clock: Clock
  /** Somebody may be chosen now who could not be before. */
  changed(): void
  report(error: unknown): void
}

const NAME = 'runners'
/** Those that the hub before this one knew come back within this time, or were ended meanwhile. */
const BACK_MS = 10_000

/**
 * Chooses who answers where nobody else does: the default runner, or the only one, and none that the hub starts, which
 * is for those to choose who administer it. The known runners are kept, because
 * after a restart of the hub the first that comes back is not the only one.
 */
export function createRunnerChoice({ runners, notes, clock, changed, report }: ChoiceParts) {
  let expected: Set<string> | undefined
  let kept = '[]'
  let alarm: { cancel(): void } | undefined
  let isClosed = false
  const following = [runners.onChange(note), runners.onCome(changed)]
  load().catch(report)
  return { choose, close }

  /** The one, or why there is none; neither while it cannot be known. */
  function choose(): { runner?: Runner; waits?: Unanswered } {
    const able = runners.offeredToAll().filter(({ problem }) => problem === undefined)
    const preferred = able.find((runner) => runner.default)
    if (preferred) return { runner: preferred }
    if (able.length > 1) return { waits: 'which_runner' }
    if (!expected || expected.size > 0) return {}
    if (able[0]) return { runner: able[0] }
    return { waits: runners.all().some(({ launched }) => launched) ? 'which_runner' : 'no_runner' }
  }

  async function load() {
    const names = (await notes.get(NAME))?.value ?? []
    if (isClosed) return
    const here = new Set(runners.offeredToAll().map(({ name }) => name))
    expected = new Set((names as string[]).filter((name) => !here.has(name)))
    if (expected.size > 0) alarm = clock.alarm(clock.now() + BACK_MS, giveUp)
    else changed()
    keep()
  }

  function giveUp() {
    expected = new Set()
    keep()
    changed()
  }

  function note() {
    if (!expected) return
    const before = expected.size
    for (const { name } of runners.offeredToAll()) expected.delete(name)
    keep()
    if (before > 0 && expected.size === 0) {
      alarm?.cancel()
      changed()
    }
  }

  function keep() {
    const names = [...runners.offeredToAll().map(({ name }) => name), ...(expected ?? [])].sort()
    const now = JSON.stringify(names)
    if (now === kept) return
    kept = now
    changeNote(notes, NAME, () => names).catch(report)
  }

  function close() {
    isClosed = true
    alarm?.cancel()
    for (const { close } of following) close()
  }
}
