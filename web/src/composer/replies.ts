import type { Driven } from '../../../src/protocol/frames/driving.ts'
import type { SavedReply } from '../../../src/protocol/frames/preferences.ts'

/** An offer behind a slash: a command of the agent, or a saved reply. */
export interface Offer extends SavedReply {
  command?: true
}

/** Those that were told, and more of them that were found. */
export function commandsOf(driven: Driven | undefined, more: Driven['commands'] = []): Offer[] {
  return [...(driven?.commands ?? []), ...(driven ? more : [])].map(({ name, description = '' }) => ({
    name,
    text: description,
    command: true,
  }))
}

/** The search text for saved replies: what follows the slash that a message begins with. */
export function queryIn(draft: string): string | undefined {
  return /^\/[^\n]*$/.test(draft) ? draft.slice(1).trim().toLowerCase() : undefined
}

/** The command that is being typed: it is one word. */
export function commandIn(draft: string): string | undefined {
  return /^\/\S*$/.test(draft) ? queryIn(draft) : undefined
}

/** Those whose name begins so, then those whose name has it, then those whose words do. */
export function matching(replies: Offer[], query: string): Offer[] {
  const ranked = replies.map((reply) => ({ reply, rank: rankOf(reply, query) }))
  return ranked
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ reply }) => reply)
}

function rankOf({ name, text }: SavedReply, query: string): number {
  const place = name.toLowerCase().indexOf(query)
  if (place >= 0) return place === 0 ? 0 : 1
  return text.toLowerCase().includes(query) ? 2 : 3
}

const NAME_LENGTH = 30

/** A name for a reply: its first words. */
export function nameFor(text: string): string {
  const [line = ''] = text.trim().split('\n')
  return line.length > NAME_LENGTH ? line.slice(0, NAME_LENGTH).replace(/\s+\S*$/, '') : line
}
