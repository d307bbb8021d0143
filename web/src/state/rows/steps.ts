import type { EntryRow, Step, Steps } from './row.ts'

/** Fewer are read as quickly as their number. */
const FEWEST = 3

export function gatherSteps(rows: EntryRow[]): (EntryRow | Steps)[] {
  const gathered: (EntryRow | Steps)[] = []
  let run: Step[] = []
  for (const row of rows) {
    const isStep = row.kind === 'tool' || row.kind === 'thought'
    // A new day and what is new are told above the row, so a run ends there.
    if (!isStep || row.day !== undefined || row.fresh !== undefined) flush()
    if (isStep) run.push(row)
    else gathered.push(row)
  }
  flush()
  return gathered

  function flush() {
    const [first] = run
    if (!first || run.length < FEWEST) gathered.push(...run)
    else {
      const { key, id, at, day, fresh } = first
      gathered.push({ kind: 'steps', key, id, at, day, fresh, steps: run })
    }
    run = []
  }
}

/** The summary of a run of steps. */
export function summaryOf(steps: Step[]) {
  const tools = steps.filter((step) => step.kind === 'tool')
  const counts = Map.groupBy(tools, ({ name }) => name)
  return {
    names: [...counts].map(([name, { length }]) => (length > 1 ? `${name} × ${length}` : name)).join(', '),
    failed: tools.filter(({ state }) => state === 'failed').length,
    denied: tools.filter(({ state }) => state === 'denied').length,
    current: tools.findLast(({ state }) => state === 'running' || state === 'waiting'),
    left: tools.map(({ state }) => state).find((state) => state === 'gone' || state === 'open'),
    from: steps[0]?.at ?? 0,
    to: Math.max(...steps.map((step) => (step.kind === 'tool' ? (step.endedAt ?? step.at) : step.at))),
  }
}
