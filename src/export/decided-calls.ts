import { AFTER_ALL, BEFORE_ALL, type Entry, type Question } from '../protocol/entries/entry.ts'
import type { DecidedCall } from '../protocol/tools/decided-call.ts'
import type { Source } from './source.ts'

const PAGE = 100

/** What people decided about calls, in every conversation; what was allowed because it always is was no decision. */
export async function* decidedCalls(source: Source): AsyncGenerator<DecidedCall> {
  for (let before = AFTER_ALL; ; ) {
    const page = await source.conversations({ before, limit: PAGE })
    for (const { id, last } of page) yield* decidedIn(source, id, last)
    const oldest = page.at(-1)
    if (!oldest) return
    before = oldest.last
  }
}

async function* decidedIn(source: Source, id: string, last: string): AsyncGenerator<DecidedCall> {
  const asked = new Map<string, Question>()
  for (let after = BEFORE_ALL; after < last; ) {
    const { entries } = await source.logged(id, { after, limit: PAGE })
    for (const entry of entries) {
      if (entry.body.kind === 'question' && entry.body.approval) asked.set(entry.id, entry.body)
      const decided = decidedBy(entry, asked)
      if (decided) yield decided
    }
    after = entries.at(-1)?.id ?? last
  }
}

function decidedBy({ conversation, at, body }: Entry, asked: Map<string, Question>): DecidedCall | undefined {
  if (body.kind !== 'settlement' || body.always === 'used' || body.decided) return undefined
  const { approval, asker, by: agent, folder } = asked.get(body.question) ?? {}
  asked.delete(body.question)
  const { outcome, by, input } = body
  if (!approval || (outcome !== 'approved' && outcome !== 'denied')) return undefined
  const { tool_name, server, tool } = approval
  // A mask in the place of a secret is no argument.
  if (approval.masked) return undefined
  const whose = { asker, agent, folder }
  return { tool_name, server, tool, input: input ?? approval.input, ...whose, conversation, at, outcome, by }
}
