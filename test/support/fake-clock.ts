import type { Clock } from '../../src/io/clock.ts'

/** A clock that stands still until it is told to move on. */
export function fakeClock(start = 0) {
  let now = start
  const alarms = new Set<{ at: number; ring(): void }>()
  const clock: Clock = {
    now: () => now,
    alarm(at, ring) {
      const alarm = { at, ring }
      alarms.add(alarm)
      return { cancel: () => alarms.delete(alarm) }
    },
  }
  return { ...clock, advance }

  function advance(ms: number) {
    now += ms
    for (const alarm of [...alarms].filter(({ at }) => at <= now)) {
      alarms.delete(alarm)
      alarm.ring()
    }
  }
}
