import type { EntryRow } from './row.ts'

/** What stands above a row that goes, a day or what is new, stands above the next one then. */
export function withoutMerged(rows: EntryRow[], merged: ReadonlySet<EntryRow | undefined>): EntryRow[] {
  let above: Pick<EntryRow, 'day' | 'fresh'> = {}
  return rows.flatMap((row) => {
    const { day = above.day, fresh = above.fresh } = row
    above = merged.has(row) ? { day, fresh } : {}
    return merged.has(row) ? [] : [Object.assign(row, { day, fresh })]
  })
}
