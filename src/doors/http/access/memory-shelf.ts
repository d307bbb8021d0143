import type { Shelf, TokenEntry } from './token-entry.ts'

/** For a hub that forgets: what is put here is gone with it. */
export function memoryShelf(): Shelf {
  let entries: TokenEntry[] = []
  return {
    read: () => entries,
    async change(update) {
      entries = update(entries)
    },
  }
}
