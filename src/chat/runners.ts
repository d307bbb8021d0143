import { isDeepStrictEqual } from 'node:util'
import type { Runner } from '../protocol/driving.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Clock } from './clock.ts'

export type Runners = ReturnType<typeof createRunners>

interface Offer {
  runner: Runner
  /** The process that offers it. */
  holder: string
  alarm: { cancel(): void }
}

/** Who offers to drive conversations. Never stored: who is still there after a restart says so again. */
export function createRunners(clock: Clock) {
  const offers = new Map<string, Offer>()
  const listeners = new Set<() => void>()
  let all: Runner[] = []
  return { offer, withdraw, all: () => all, named, onChange, close }

  /** Until then, unless it is offered again. */
  function offer(runner: Runner, holder: string, seconds: number): number {
    const { name } = runner
    const before = offers.get(name)
    if (before && before.holder !== holder)
      throw new ParleyError('runner_taken', { name, folder: before.runner.folder })
    before?.alarm.cancel()
    const until = clock.now() + seconds * 1000
    offers.set(name, { runner, holder, alarm: clock.alarm(until, () => remove(name)) })
    if (!isDeepStrictEqual(before?.runner, runner)) tell()
    return until
  }

  function withdraw(name: string, holder: string) {
    if (offers.get(name)?.holder === holder) remove(name)
  }

  function remove(name: string) {
    offers.get(name)?.alarm.cancel()
    offers.delete(name)
    tell()
  }

  function named(name: string): Runner {
    const offer = offers.get(name)
    if (!offer) throw new ParleyError('unknown_runner', { runner: name })
    return offer.runner
  }

  function tell() {
    all = [...offers.values()].map(({ runner }) => runner).sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const listener of [...listeners]) listener()
  }

  function onChange(listener: () => void) {
    listeners.add(listener)
    return { close: () => listeners.delete(listener) }
  }

  function close() {
    for (const { alarm } of offers.values()) alarm.cancel()
  }
}
