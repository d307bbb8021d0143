import { compileGlob } from '../governance/policy/matching/glob.ts'
import { usage } from '../protocol/usage.ts'

const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Whether any of the names fits a pattern in which * stands for anything; all do where there is no pattern. */
export function fitting(pattern: string | undefined): (...names: (string | undefined)[]) => boolean {
  if (pattern === undefined) return () => true
  const { fits } = compileGlob(pattern)
  return (...names) => names.some((name) => name !== undefined && fits(name))
}

/** Whether a time lies between two others, as they were typed. */
export function between(since: string | undefined, until: string | undefined, help: string): (at: number) => boolean {
  const [from = -Infinity, to = Infinity] = [since, until].map((text) =>
    text === undefined ? text : timeIn(text, help),
  )
  return (at) => at >= from && at < to
}

/** A moment, or how long ago. */
function timeIn(text: string, help: string): number {
  const [, n, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = n === undefined ? Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text) : undefined
  const time = at ?? Date.now() - Number(n) * (UNIT_MS[unit] ?? 0)
  if (Number.isNaN(time)) throw usage(`Invalid time ${text}; write 2026-11-16, 2026-11-16T14:30 or 12h`, { help })
  return time
}
