/** One figure. `parley` is what is judged, `baseline` what it is compared with. */
export interface Result {
  measure: string
  unit: 'ms' | 'µs' | 'ns' | 'tasks' | 'CLS' | 'KB' | 'MB' | 'posts/s' | 'calls/s'
  baseline: number
  parley: number
  /** How Parley's figure may relate to the other; without it the row only informs. */
  target?: { atMostTimes: number } | { atLeastTimes: number } | { atMostMore: number }
}

/** How much of its target a figure takes up: up to 1 it is as wanted. */
export function usedOf({ baseline, parley, target }: Result): number {
  if (!target) return 0
  if ('atMostMore' in target) return (parley - baseline) / target.atMostMore
  if ('atLeastTimes' in target) return (target.atLeastTimes * baseline) / parley
  return parley / (target.atMostTimes * baseline)
}

const MORE_IS_BETTER = new Set<Result['unit']>(['posts/s', 'calls/s'])

/** How much worse a figure is than another, as a share of that one; less than 0 where it is better. */
export function worseBy({ unit }: Result, before: number, now: number): number {
  return MORE_IS_BETTER.has(unit) ? before / now - 1 : now / before - 1
}

/** What could not be measured, or is not as it must be, and why in one sentence. */
export interface Failure {
  measure: string
  failed: string
}

/** One row of the table. */
export type Line = Result | Failure

export function isFailure(line: Line): line is Failure {
  return 'failed' in line
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: number[]): number {
  return quantile(values, 0.5)
}

/** The number as a person writes it in a table: 100,000. */
export function written(count: number): string {
  return count.toLocaleString('en')
}

/** Runs each in turn, again and again, so that a busy moment of the machine hits all of them. */
export async function interleave<Name extends string>(
  rounds: number,
  sources: Record<Name, () => Promise<number | number[]>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sources) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = 0; round < rounds; round++)
    for (const name of names) values[name].push(...[await sources[name]()].flat())
  return values
}
