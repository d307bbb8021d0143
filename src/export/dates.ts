const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

/** The zone of the exporter, in which times are written. */
export const ZONE = time.resolvedOptions().timeZone

export function timeOf(at: number): string {
  return time.format(at)
}

export function dayOf(at: number): string {
  return day.format(at)
}

/** Says the day of an entry when it is another than that of the one before. */
export function createDays() {
  let last = ''
  return function next(at: number): string | undefined {
    const today = dayOf(at)
    if (today === last) return undefined
    last = today
    return today
  }
}
