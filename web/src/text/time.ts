const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const fullDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const oldDay = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })

export function timeOfDay(at: number): string {
  return clock.format(at)
}

/** Short enough for a list: "now", "5 min", "3 h", "Today", "Yesterday", "12 Nov". */
export function ago(at: number, now: number): string {
  const passed = now - at
  if (passed < MINUTE_MS) return 'now'
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min`
  if (passed < 12 * HOUR_MS) return `${Math.floor(passed / HOUR_MS)} h`
  const days = daysBetween(at, now)
  if (days === 0) return 'Today'
  return days === 1 ? 'Yesterday' : dayOfYear.format(at)
}

export function dayName(at: number, now: number): string {
  const days = daysBetween(at, now)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? fullDay.format(at) : oldDay.format(at)
}

/** Calendar days, not spans of 24 hours; the rounding absorbs the hour that a clock change adds or takes. */
function daysBetween(at: number, now: number): number {
  return Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / (24 * HOUR_MS))
}
