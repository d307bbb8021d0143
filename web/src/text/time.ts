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

/** The time when someone was here last: the time of today, the day and time of any other day. */
export function moment(at: number, now: number): string {
  return daysBetween(at, now) === 0 ? timeOfDay(at) : `${dayName(at, now)}, ${timeOfDay(at)}`
}

/** How long something took: "0.4 s", "12 s", "3 min 5 s", "2 h 10 min". */
export function span(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 9.95) return `${Number(seconds.toFixed(1))} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}

/** Less than a second is not worth a word. */
export function longSpan(ms: number): string {
  return ms < 1000 ? '' : span(ms)
}

/** The day as a date field has it. */
export function dateOf(at: number): string {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The start of that day here. */
export function midnight(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(year, month - 1, day).getTime()
}

/** Calendar days, not spans of 24 hours; the rounding absorbs the hour that a clock change adds or takes. */
function daysBetween(at: number, now: number): number {
  return Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / (24 * HOUR_MS))
}
