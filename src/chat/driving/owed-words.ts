import type { Entry } from '../../protocol/entries/entry.ts'

/** Words in a conversation that a runner has: the last of them, and whether an agent has begun with all of them. */
interface Owed {
  id: string
  given: boolean
}

/** As it is stored with the projection. */
export type StoredOwed = [conversation: string, id: string, given: boolean]

/**
 * The conversations of runners where a person spoke and no turn has ended since: what a runner that has no process now
 * would go on with.
 */
export function createOwedWords(stored: StoredOwed[] = []) {
  const owed = new Map<string, Owed>(stored.map(([conversation, id, given]) => [conversation, { id, given }]))
  return {
    see,
    forget: (conversation: string) => owed.delete(conversation),
    all: (): StoredOwed[] => [...owed].map(([conversation, { id, given }]) => [conversation, id, given]),
  }

  /** Says whether a process is needed for it: somebody spoke, or answered. */
  function see({ id, conversation, body }: Entry): boolean {
    if (body.kind === 'receipt') receive(conversation, body.messages, body.messages_to)
    else if (body.kind === 'turn') end(conversation)
    else if (isSaidByPerson(body) || (body.kind === 'wish' && body.waiting)) {
      owed.set(conversation, { id, given: false })
      return true
    } else if (body.kind === 'wish' && body.resume !== undefined) {
      // A session that is told of ends with a turn, and no words wait for it.
      owed.set(conversation, { id, given: true })
      return true
    }
    return body.kind === 'settlement' && body.outcome !== 'withdrawn' && body.outcome !== 'expired'
  }

  function receive(conversation: string, messages: string[] = [], upTo = '') {
    const words = owed.get(conversation)
    if (words && (upTo >= words.id || messages.some((message) => message >= words.id))) words.given = true
  }

  function end(conversation: string) {
    if (owed.get(conversation)?.given) owed.delete(conversation)
  }
}

/** Words that want an answer: neither a stop nor what became of a call. */
export function isSaidByPerson(body: Entry['body']): boolean {
  return body.kind === 'message' && body.author === 'user' && body.call_id === undefined && !body.interrupt
}
