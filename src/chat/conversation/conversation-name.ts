import { hash, randomBytes } from 'node:crypto'

// A title may be as long as a name, which leaves no room for what makes it one.
const TITLE_LENGTH = 190

/** A name nobody else has, that still says whose conversation it is. */
export function newConversationName(title: string): string {
  return named(title, randomBytes(3).toString('hex'))
}

/** The same whenever the same run of an agent comes: two runs in one folder are two, and each goes on in its own. */
export function conversationOfRun(title: string, run: string): string {
  return named(title, hash('sha256', run).slice(0, 8))
}

/** Whether it is one of those that nobody named himself. */
export function isNamedAfter(title: string, conversation: string): boolean {
  const ending = /-[0-9a-f]{6,8}$/.exec(conversation)
  return ending !== null && conversation === named(title, ending[0].slice(1))
}

function named(title: string, ending: string): string {
  return `${title.slice(0, TITLE_LENGTH).toWellFormed()}-${ending}`
}
