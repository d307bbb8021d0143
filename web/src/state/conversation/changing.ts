import { newKey } from '../hub/key.ts'
import type { Bubble } from '../rows/row.ts'
import type { Conversation } from './conversation.svelte.ts'
import type { Person } from './person.ts'

/** Its words are in the composer from now on; what was being written there waits. */
export function beginChange(conversation: Conversation, { key, text }: Pick<Bubble, 'key' | 'text'>) {
  const { draft, target, revisions } = conversation
  if (target.kind !== 'change') revisions.aside = draft === '' ? undefined : { draft, target }
  conversation.takeDraft()
  conversation.aimAt({ kind: 'change', message: key })
  conversation.draft = text
}

/** The words as they are changed now. What waited is there again. */
export function endChange(conversation: Conversation): string {
  const { aside } = conversation.revisions
  const words = conversation.takeDraft()
  conversation.revisions.aside = undefined
  if (aside) conversation.draft = aside.draft
  if (aside) conversation.aimAt(aside.target)
  return words
}

/** Sends what was changed, if that is what is written. */
export function sendChange(person: Person, conversation: Conversation): boolean {
  const { target } = conversation
  if (target.kind !== 'change') return false
  change(person, conversation, target.message, endChange(conversation))
  return true
}

export function change(person: Person, conversation: Conversation, message: string, text: string) {
  if (text.trim() === '') return
  const unsent = person.keepBack(conversation, message)
  if (!unsent) return revise(person, conversation, message, text)
  conversation.pending = conversation.pending.filter((words) => words !== unsent)
  const { question: asked, about, attachments } = unsent
  const question = conversation.state.open.find(({ id }) => id === asked)
  person.write(conversation, text, { question, about }, attachments)
}

/** A message that never left is as if it had not been sent; otherwise an agent that has it is told. */
export function takeBack(person: Person, conversation: Conversation, message: string) {
  const unsent = person.keepBack(conversation, message)
  if (unsent) conversation.recall(unsent)
  else revise(person, conversation, message)
}

function revise(person: Person, conversation: Conversation, message: string, text?: string) {
  const key = newKey()
  conversation.problem = undefined
  conversation.revisions.begin({ key, message, text }, wordsOf(conversation, message))
  person.revise(conversation, key, message, text)
}

/** The last message that can still be changed. */
export function lastRevisable({ rows }: Conversation): Bubble | undefined {
  return rows.findLast((row): row is Bubble => row.kind === 'bubble' && row.revisable === true)
}

function wordsOf({ rows }: Conversation, message: string): string {
  const row = rows.find(({ key }) => key === message)
  return row?.kind === 'bubble' ? row.text : ''
}

/** An agent has its words, so that a change is a message of its own. */
export function hasReached(row: Bubble | undefined): boolean {
  return row?.delivery === 'delivered' || row?.delivery === 'read'
}
