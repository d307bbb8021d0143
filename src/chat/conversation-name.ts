import { randomBytes } from 'node:crypto'

/** A name nobody else has, that still says whose conversation it is. */
export function newConversationName(title: string): string {
  return `${title}-${randomBytes(3).toString('hex')}`
}
