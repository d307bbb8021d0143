const MINUTE_MS = 60_000

/** How long someone waits already, in the largest unit that is not zero: "now", "5 min", "3 h", "2 d". */
export function waited(since: number, now: number): string {
  const minutes = Math.floor((now - since) / MINUTE_MS)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`
}
