import type { Views } from '../../log/views.ts'
import type { Body, Entry, SettledEntry } from '../../protocol/entries/entry.ts'

const PAGE = 100

/** Finds the stop that withdrew a question: it stands right behind the settlements that it made. */
export function createStopBehind({ read }: Pick<Views, 'read'>) {
  return async function stopBehind({ conversation, id: settlement, body: { by } }: SettledEntry) {
    for (let after = settlement; ; ) {
      const page = (await read({ conversation, after, limit: PAGE })) as Entry[]
      const next = page.find(({ body }) => !isWithdrawn(body, by))
      if (next || page.length === 0) return next && stopIn(next, by)
      after = page.at(-1)?.id ?? after
    }
  }
}

function isWithdrawn(body: Body, by: string): boolean {
  return body.kind === 'settlement' && body.outcome === 'withdrawn' && body.by === by
}

/** A stop counts by the person who withdrew the question: an agent that gave it up stopped nobody. */
function stopIn({ id, body }: Entry, by: string): { id: string; text: string } | undefined {
  return body.kind === 'message' && body.interrupt && body.by === by ? { id, text: body.text } : undefined
}
