const HOUR_MS = 60 * 60_000
const MORNING = 9
const EVENING = 18

/** The times that are offered at this time of the day; an evening that has come is not. */
export function snoozeTimes(now: number): [name: string, until: number][] {
  const hour = now + HOUR_MS
  const evening = new Date(now).setHours(EVENING, 0, 0, 0)
  const day = new Date(now)
  const morning = new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, MORNING).getTime()
  return [
    ['In an hour', hour],
    ...(evening > hour ? [['This evening', evening] as [string, number]] : []),
    ['Tomorrow morning', morning],
  ]
}

/** The value of a field for date and time. */
export function fieldTime(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
