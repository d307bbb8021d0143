import type { Bubble, EntryRow } from './row.ts'

/** A change that the person has just made, and the hub has not confirmed yet. */
export interface Revising {
  /** The key of the command. */
  key: string
  /** The key of the row. */
  message: string
  /** The message is taken back without any. */
  text?: string
}

/** Shows it as if the hub had agreed already. */
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
