import { BEFORE_ALL } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { allNearest } from '../../protocol/text/nearest.ts'

/** Those that whoever asks may see. */
export interface KnownConversations {
  /** The only one, if there is no other for them. */
  only?: string
  conversation(id: string): Promise<ConversationState>
  /** Newest first. */
  conversations(page: { before?: string; limit: number }): Promise<ConversationState[]>
}

// More names are not compared with one that nobody knows.
const MOST_NAMES = 1000
const SUGGESTIONS = 3

/** The conversation of this name, or of the title that only one of them has. Throws what could have been meant. */
export async function findConversation(source: KnownConversations, name: string): Promise<ConversationState> {
  const { only } = source
  const known = only === undefined || only === name ? await source.conversation(name) : undefined
  if (known && known.last !== BEFORE_ALL) return known
  // A principal of one conversation learns of no other.
  const all = only === undefined ? await source.conversations({ limit: MOST_NAMES }) : []
  const called = all.filter(({ title }) => title === name)
  if (called.length === 1 && called[0]) return called[0]
  throw unknown(name, called.length > 1 ? called : all)
}

function unknown(name: string, all: ConversationState[]): ParleyError {
  const byName = new Map(all.flatMap(({ id, title }) => [[title, id] as const, [id, id] as const]))
  const near = all.every(({ title }) => title === name)
    ? all.map(({ id }) => id)
    : allNearest(name, [...byName.keys()]).map((word) => byName.get(word) ?? word)
  const [meant, others] = [quoted(near), quoted(all.map(({ id }) => id))]
  if (others === '') return new ParleyError('unknown_conversation', { conversation: name })
  const hint = meant === '' ? `the newest are ${others}` : `did you mean ${meant}?`
  return new ParleyError('unknown_name', { conversation: name, hint })
}

function quoted(names: string[]): string {
  return [...new Set(names)]
    .slice(0, SUGGESTIONS)
    .map((name) => `"${name}"`)
    .join(' or ')
}
