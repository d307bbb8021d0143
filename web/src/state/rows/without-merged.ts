import type { EntryRow } from './row.ts'

/** What stands above a row that goes, a day or what is new, stands above the next one then. */
export function withoutMerged(rows: EntryRow[], merged: ReadonlySet<EntryRow | undefined>): EntryRow[] {
  return rows.filter((row, n) => {
    if (!merged.has(row)) return true
    const next = rows[n + 1]
    if (!next) return false
    next.day ??= row.day
    next.fresh ??= row.fresh
    return false
  })
}
