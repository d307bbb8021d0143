import { compileGlob } from '../governance/policy/matching/glob.ts'
import { momentIn } from '../protocol/search/moment.ts'
import { usage } from '../protocol/usage.ts'

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
export function timeIn(text: string, help: string): number {
  const time = momentIn(text)
  if (time === undefined)
    throw usage(`Invalid time ${text}; write monday, 2026-11-16, 2026-11-16T14:30 or 12h`, { help })
  return time
}
