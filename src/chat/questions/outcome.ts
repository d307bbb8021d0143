import { idBefore } from '../../log/journal.ts'
import type { Views } from '../../log/views.ts'
import { type Entry, isSettlement, type SettledEntry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Projection } from '../conversation/projection.ts'
import { pagesAfter } from '../reading/pages-after.ts'
import { ownOutcome } from './own-outcome.ts'
import type { Waiters } from './waiters.ts'

interface OutcomeParts {
  views: Pick<Views, 'read'>
  projection: Pick<Projection, 'placeOf' | 'reached'>
  waiters: Waiters
  conversationOf(question: string): Promise<string>
}

/** The settlement of a question, now or when it comes. Aborting ends the wait, not the question. */
export function createOutcome({ views, projection, waiters, conversationOf }: OutcomeParts) {
  return (question: string, signal: AbortSignal): Promise<SettledEntry> =>
    isOpen(question) ? waiters.wait(question, signal) : found(question, signal)

  function isOpen(question: string): boolean {
    return projection.placeOf(question) !== undefined
  }

  async function found(question: string, signal: AbortSignal): Promise<SettledEntry> {
    const conversation = await conversationOf(question)
    await projection.reached(question)
    if (isOpen(question)) return waiters.wait(question, signal)
    for await (const page of pagesAfter(views, { conversation, after: idBefore(question) })) {
      const settlement = page.map(settlementIn).find((entry) => entry?.body.question === question)
      if (settlement) return settlement
    }
    // Its conversation was forgotten.
    throw new ParleyError('unknown_question', { question })
  }
}

function settlementIn(entry: Entry): SettledEntry | undefined {
  if (isSettlement(entry)) return entry
  const body = ownOutcome(entry.id, entry.body)
  return body && { ...entry, body }
}
