import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../io/clock.ts'
import { createEmitter } from '../../io/emitter.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { FailedRun, ListedRunner, Runner } from '../../protocol/frames/driving.ts'
import type { Asked } from './asked/requests.ts'

export type Runners = ReturnType<typeof createRunners>

/** The time is long enough for a person who is at another device to see it. */
const FAILED_MS = 15 * 60_000
const MOST_FAILED = 20

interface Offer {
  runner: Runner
  /** The process that offers it, as the principal that it is. */
  by: Asked
  alarm: { cancel(): void }
}

/** The runners that offer to drive conversations. Never stored: those still there after a restart say so again. */
export function createRunners(clock: Clock) {
  const offers = new Map<string, Offer>()
  /** Those that tried to begin in vain: the last one of each name. */
  const failed = new Map<string, { runner: ListedRunner; alarm: { cancel(): void } }>()
  /** Those that the hub starts: they are there for people without a process, too. */
  const launched = new Map<string, ListedRunner>()
  const changed = createEmitter()
  /** Tells that a runner comes, or can do again what it could not. */
  const come = createEmitter()
  /** Tells that a runner has something to do. */
  const wanted = createEmitter<[runner: string]>()
  let all: ListedRunner[] = []
  return {
    offer,
    withdraw,
    fail,
    launch,
    all: () => all,
    offered: () => listed(offers),
    /** Those that somebody started for whoever speaks. */
    offeredToAll: () => listed(offers).filter(({ name }) => !launched.has(name)),
    isLaunched: (name: string) => launched.has(name),
    named,
    /** Who can be asked about it. */
    holderOf: (name: string) => offers.get(name)?.by,
    onChange: changed.on,
    onCome: come.on,
    want: wanted.emit,
    onWanted: wanted.on,
    close,
  }

  /** The offer lasts until then, unless it is repeated. */
  function offer(runner: Runner, by: Asked, seconds: number): number {
    const { name } = runner
    const before = offers.get(name)
    if (before && !isSame(before.by, by)) throw new ParleyError('runner_taken', { name, folder: before.runner.folder })
    const first = runner.default && [...offers.values()].find((other) => other !== before && other.runner.default)
    if (first) throw new ParleyError('default_taken', { name: first.runner.name })
    before?.alarm.cancel()
    // It has begun after all, or another one has; who only stays proves nothing about the one that failed beside it.
    if (!before) forgetFailed(name)
    const until = clock.now() + seconds * 1000
    offers.set(name, { runner, by, alarm: clock.after(seconds * 1000, () => remove(name)) })
    if (!isDeepStrictEqual(before?.runner, runner)) tell()
    const couldBefore = before !== undefined && before.runner.problem === undefined
    if (!couldBefore && runner.problem === undefined) come.emit()
    return until
  }

  function withdraw(name: string, by: Asked) {
    const offered = offers.get(name)
    if (offered && isSame(offered.by, by)) remove(name)
  }

  function remove(name: string) {
    offers.get(name)?.alarm.cancel()
    offers.delete(name)
    tell()
  }

  /** The failure is shown until then, unless a runner of that name begins. */
  function fail(runner: FailedRun): number {
    const failed_at = clock.now()
    forgetFailed(runner.name)
    const [oldest] = failed.keys()
    if (oldest !== undefined && failed.size >= MOST_FAILED) forgetFailed(oldest)
    const until = failed_at + FAILED_MS
    const alarm = clock.alarm(until, () => {
      forgetFailed(runner.name)
      tell()
    })
    failed.set(runner.name, { runner: { ...runner, failed_at }, alarm })
    tell()
    return until
  }

  function forgetFailed(name: string) {
    failed.get(name)?.alarm.cancel()
    failed.delete(name)
  }

  /** The hub starts a process for it when it is needed. */
  function launch(runner: ListedRunner) {
    if (isDeepStrictEqual(launched.get(runner.name), runner)) return
    launched.set(runner.name, runner)
    tell()
  }

  function named(name: string): Runner {
    const offered = offers.get(name)?.runner
    if (offered) return offered
    const ours = launched.get(name)
    if (!ours) throw new ParleyError('unknown_runner', { runner: name })
    // What was wrong with it may be over: it is tried again.
    const { problem: _, ...able } = ours
    return able
  }

  function tell() {
    const ours = [...launched.values()].filter(({ name }) => !offers.has(name))
    const offered = listed(offers).map((runner) => {
      const { launched: started } = launched.get(runner.name) ?? {}
      return started ? { ...runner, launched: started } : runner
    })
    all = [...offered, ...ours, ...listed(failed).filter(({ name }) => !launched.has(name))]
    changed.emit()
  }

  function close() {
    for (const { alarm } of [...offers.values(), ...failed.values()]) alarm.cancel()
  }
}

/** Nobody else's, whatever another principal calls itself. */
function isSame(one: Asked, other: Asked): boolean {
  return one.holder === other.holder && one.principal === other.principal
}

function listed<One extends ListedRunner>(by: Map<string, { runner: One }>): One[] {
  return [...by.values()].map(({ runner }) => runner).sort((a, b) => (a.name < b.name ? -1 : 1))
}
