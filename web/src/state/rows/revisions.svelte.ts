import type { Entry } from '../../../../src/protocol/entries/entry.ts'
import type { Target } from '../../../../src/protocol/frames/preferences.ts'
import type { Revising } from './revising.ts'

/** Revisions by the person: shown at once, and undone should the hub refuse them. */
export class Revisions {
  list = $state.raw<Revising[]>([])
  /** The text that was being written when a message was to be changed, and its target. */
  aside: { draft: string; target: Target } | undefined
  /** The words of what was taken back here, for a person who wants to write it otherwise. */
  readonly #words = new Map<string, string>()
  /** The keys of what was said here. */
  readonly #mine: Set<string>

  constructor(mine: Set<string>) {
    this.#mine = mine
  }

  begin(revising: Revising, words: string) {
    this.list = [...this.list, revising]
    this.#words.set(revising.message, words)
    this.#mine.add(revising.key)
  }

  wordsOf(message: string): string | undefined {
    return this.#words.get(message)
  }

  has(key: string | undefined): boolean {
    return this.list.some((revising) => revising.key === key)
  }

  refuse(key: string | undefined): Revising | undefined {
    const refused = this.list.find((revising) => revising.key === key)
    if (refused) this.list = this.list.filter((revising) => revising !== refused)
    return refused
  }

  /** Takes what the log has now. */
  settle(entries: Entry[]) {
    if (this.list.length === 0) return
    const keys = new Set(entries.map(({ key }) => key))
    this.list = this.list.filter(({ key }) => !keys.has(key))
  }
}
