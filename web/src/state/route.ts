import { Name } from '../../../src/protocol/text.ts'

const PREFIX = '#/c/'
/** A slash within a name is written as %2F, so this one can only be ours. */
const ENTRY = /\/(\d{16})$/

export function hashOf(conversation: string): string {
  return PREFIX + encodeURIComponent(conversation)
}

/** One entry of the conversation. */
export function hashOfEntry(conversation: string, entry: string): string {
  return `${hashOf(conversation)}/${entry}`
}

export function entryIn(hash: string): string | undefined {
  return hash.startsWith(PREFIX) ? ENTRY.exec(hash)?.[1] : undefined
}

/** An address bar can hold anything; what cannot be a conversation's name is none. */
export function conversationIn(hash: string): string | undefined {
  if (!hash.startsWith(PREFIX)) return undefined
  // Form decoding never throws on a stray percent sign; only its reading of "+" as a blank has to be undone.
  const encoded = hash.slice(PREFIX.length).replace(ENTRY, '').replaceAll('+', '%2B').replaceAll('&', '%26')
  const { success, data } = Name.safeParse(new URLSearchParams(`id=${encoded}`).get('id'))
  return success ? data : undefined
}
