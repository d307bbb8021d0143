import type { Clock } from '../../src/io/clock.ts'

interface Alarm {
  at: number
  ring(): void
}

/** A clock that stands still until it is told to move on. */
export function fakeClock(start = 0) {
  let now = start
  let elapsed = 0
  const alarms = new Set<Alarm>()
  const timers = new Set<Alarm>()
  const clock: Clock = {
    now: () => now,
    alarm: (at, ring) => set(alarms, { at, ring }),
    elapsed: () => elapsed,
    after: (ms, ring) => set(timers, { at: elapsed + ms, ring }),
  }
  return { ...clock, advance, jump }

  function advance(ms: number) {
    elapsed += ms
    jump(ms)
    ringAll(timers, elapsed)
  }

  /** It shows another time, and none has passed. */
  function jump(ms: number) {
    now += ms
    ringAll(alarms, now)
  }
}

function set(among: Set<Alarm>, alarm: Alarm) {
  among.add(alarm)
  return { cancel: () => among.delete(alarm) }
}

function ringAll(among: Set<Alarm>, until: number) {
  for (const alarm of [...among].filter(({ at }) => at <= until)) {
    among.delete(alarm)
    alarm.ring()
  }
}
