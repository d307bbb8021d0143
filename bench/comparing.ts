import { measureApart, type Terms } from './measure-apart.ts'
import { isFailure, type Line, median, type Result, worseBy } from './statistics.ts'
import { drawColumns, figure } from './table.ts'

/** Each checkout is measured so often, in turns. */
const ROUNDS = 4
/** Figures differ by so much from run to run. */
const WORSE_BY = 0.15

interface Compared {
  measure: string
  /** Absent where one of the two could not be measured. */
  row?: Result
  base: number[]
  now: number[]
  failed?: string
}

/**
 * A measure of two checkouts, taken in turns: its rows as a table, and whether any of them got worse. Only the program is
 * the other one; what a measure imports is of this checkout.
 */
export async function compare(name: string, base: string, terms: () => Terms) {
  const rows = new Map<string, Compared>()
  for (let round = 0; round < ROUNDS; round++)
    // Neither always comes first, to a machine that is warmer or busier for the second.
    for (const whose of round % 2 === 0 ? (['base', 'now'] as const) : (['now', 'base'] as const))
      note(whose, await measureApart(name, whose === 'base' ? { ...terms(), program: base } : terms()))
  const all = [...rows.values()]
  return { table: drawColumns([HEADINGS, ...all.map(cells)], [1, 2, 3]), isWorse: all.some(isWorse) }

  function note(whose: 'base' | 'now', lines: Line[]) {
    for (const line of lines) {
      const row = rows.get(line.measure) ?? { measure: line.measure, base: [], now: [] }
      rows.set(line.measure, row)
      if (isFailure(line)) row.failed = `${whose}: ${line.failed}`
      else {
        row.row = line
        row[whose].push(line.parley)
      }
    }
  }
}

const HEADINGS = ['measure', 'base', 'now', 'change', '']

function cells(compared: Compared): string[] {
  const { measure, row, failed, base, now } = compared
  if (failed !== undefined || !row) return [measure, '', '', '', `FAILED: ${failed}`]
  const [before, after] = [median(base), median(now)]
  const change = `${after < before ? '' : '+'}${((after / before - 1) * 100).toFixed(0)} %`
  return [measure, figure(before, row.unit), figure(after, row.unit), change, isWorse(compared) ? 'WORSE' : '']
}

function isWorse({ row, base, now, failed }: Compared): boolean {
  return failed !== undefined || !row || worseBy(row, median(base), median(now)) > WORSE_BY
}
