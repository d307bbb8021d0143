import type { Views } from '../../log/views.ts'
import type { Body, Entry, SettledEntry } from '../../protocol/entries/entry.ts'
import { pagesAfter } from '../reading/pages-after.ts'

/** Finds the stop that withdrew a question: it stands right behind the settlements that it made. */
export function createStopBehind(views: Pick<Views, 'read'>) {
  return async function stopBehind({ conversation, id: settlement, body: { by } }: SettledEntry) {
    for await (const page of pagesAfter(views, { conversation, after: settlement })) {
      const next = page.find(({ body }) => !isWithdrawn(body, by))
      if (next) return stopIn(next, by)
    }
    return undefined
  }
}

function isWithdrawn(body: Body, by: string): boolean {
  return body.kind === 'settlement' && body.outcome === 'withdrawn' && body.by === by
}

/** Only a stop by whoever withdrew the question counts: an agent that gave it up stopped nobody. */
function stopIn({ id, body }: Entry, by: string): { id: string; text: string } | undefined {
  return body.kind === 'message' && body.interrupt && body.by === by ? { id, text: body.text } : undefined
}
