const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const SHORTEST_DAY = 3
const DAY = /^\d{4}-\d\d-\d\d$/
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** A moment as people write it, or how long ago: of a day its beginning, where they are. Nothing for what is none. */
export function momentIn(text: string, now = Date.now()): number | undefined {
  const [, n, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  if (n !== undefined) return now - Number(n) * (UNIT_MS[unit] ?? 0)
  const ago = daysAgo(text.toLowerCase(), now)
  if (ago !== undefined) {
    const day = new Date(now)
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - ago).getTime()
  }
  const time = DAY.test(text) ? Date.parse(`${text}T00:00`) : MINUTE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

function daysAgo(text: string, now: number): number | undefined {
  if (text === 'today') return 0
  if (text === 'yesterday') return 1
  const day = text.length < SHORTEST_DAY ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(text))
  return day < 0 ? undefined : (new Date(now).getDay() - day + 7) % 7
}
