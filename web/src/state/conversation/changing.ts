import { newKey } from '../hub/key.ts'
import type { Bubble } from '../rows/row.ts'
import type { Person } from './person.ts'
import type { Talk } from './talk.svelte.ts'

/** Its words are in the composer from now on; what was being written there waits. */
export function beginChange(talk: Talk, { key, text }: Pick<Bubble, 'key' | 'text'>) {
  const { draft, target, revisions } = talk
  if (target.kind !== 'change') revisions.aside = draft === '' ? undefined : { draft, target }
  talk.takeDraft()
  talk.aimAt({ kind: 'change', message: key })
  talk.draft = text
}

/** The words as they are changed now. What waited is there again. */
export function endChange(talk: Talk): string {
  const { aside } = talk.revisions
  const words = talk.takeDraft()
  talk.revisions.aside = undefined
  if (aside) talk.draft = aside.draft
  if (aside) talk.aimAt(aside.target)
  return words
}

/** Sends what was changed, if that is what is written. */
export function sendChange(person: Person, talk: Talk): boolean {
  const { target } = talk
  if (target.kind !== 'change') return false
  change(person, talk, target.message, endChange(talk))
  return true
}

export function change(person: Person, talk: Talk, message: string, text: string) {
  if (text.trim() === '') return
  const unsent = person.keepBack(talk, message)
  if (!unsent) return revise(person, talk, message, text)
  talk.pending = talk.pending.filter((words) => words !== unsent)
  const { question: asked, about, attachments } = unsent
  const question = talk.state.open.find(({ id }) => id === asked)
  person.write(talk, text, { question, about }, attachments)
}

/** What never left is as if it had not been sent; of anything else an agent that has it is told. */
export function takeBack(person: Person, talk: Talk, message: string) {
  const unsent = person.keepBack(talk, message)
  if (unsent) talk.recall(unsent)
  else revise(person, talk, message)
}

function revise(person: Person, talk: Talk, message: string, text?: string) {
  const key = newKey()
  talk.problem = undefined
  talk.revisions.begin({ key, message, text }, wordsOf(talk, message))
  person.revise(talk, key, message, text)
}

/** The last message that can still be changed. */
export function lastRevisable({ rows }: Talk): Bubble | undefined {
  return rows.findLast((row): row is Bubble => row.kind === 'bubble' && row.revisable === true)
}

function wordsOf({ rows }: Talk, message: string): string {
  const row = rows.find(({ key }) => key === message)
  return row?.kind === 'bubble' ? row.text : ''
}

/** An agent has its words, so that a change is a message of its own. */
export function hasReached(row: Bubble | undefined): boolean {
  return row?.delivery === 'delivered' || row?.delivery === 'read'
}
