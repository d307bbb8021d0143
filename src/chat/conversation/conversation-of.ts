import type { Entry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { askerOf } from '../questions/own-outcome.ts'

interface ConversationOfParts {
  /** The conversation of an open question. */
  placeOf(question: string): string | undefined
  entry(id: string): Promise<Entry | undefined>
}

/** The conversation of a question, whatever became of it; also of a call that nobody was asked about. */
export function createConversationOf({ placeOf, entry }: ConversationOfParts) {
  return async (question: string): Promise<string> => {
    const known = placeOf(question)
    if (known) return known
    const found = await entry(question)
    if (!found || !askerOf(found.body)) throw new ParleyError('unknown_question', { question })
    return found.conversation
  }
}
