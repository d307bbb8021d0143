import type { Target } from '../../../src/protocol/desk.ts'
import type { Entry } from '../../../src/protocol/entry.ts'
import type { Bubble, EntryRow } from './row.ts'

/** What the person has just changed or taken back, and the hub has not said yet. */
export interface Revising {
  /** Of the command. */
  key: string
  /** The key of the row. */
  message: string
  /** Without any it is taken back. */
  text?: string
}

/** Shown at once, and undone should an agent have been faster. */
export class Revisions {
  list = $state.raw<Revising[]>([])
  /** What was being written when a message was to be changed, and where it goes. */
  aside: { draft: string; target: Target } | undefined
  /** The words of what was taken back here, for who wants to write it otherwise. */
  readonly #words = new Map<string, string>()

  begin(revising: Revising, words: string) {
    this.list = [...this.list, revising]
    this.#words.set(revising.message, words)
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

  /** What the log has now. */
  settle(entries: Entry[]) {
    if (this.list.length === 0) return
    const keys = new Set(entries.map(({ key }) => key))
    this.list = this.list.filter(({ key }) => !keys.has(key))
  }
}

/** As if the hub had agreed already. */
export function showRevising(row: EntryRow, list: Revising[]) {
  if (row.kind !== 'bubble') return
  for (const { message, text } of list) if (message === row.key) revise(row, text)
}

function revise(row: Bubble, text: string | undefined) {
  row.text = text ?? ''
  row.revised = text === undefined ? 'taken_back' : 'changed'
  if (text !== undefined) return
  row.delivery = row.revisable = row.attachments = row.mime = undefined
}
