import { randomBytes } from 'node:crypto'

// A title may be as long as a name, which leaves no room for what makes it one.
const TITLE_LENGTH = 190

/** A name nobody else has, that still says whose conversation it is. */
export function newConversationName(title: string): string {
  return `${title.slice(0, TITLE_LENGTH).toWellFormed()}-${randomBytes(3).toString('hex')}`
}
