import type { Shelf, TokenEntry } from './token-entry.ts'

/** The shelf of a hub that forgets: its entries are gone with it. */
export function memoryShelf(): Shelf {
  let entries: TokenEntry[] = []
  return {
    read: () => entries,
    async change(update) {
      entries = update(entries)
    },
  }
}
