import { Name } from '../../../src/protocol/text.ts'

const PREFIX = '#/c/'

export function hashOf(conversation: string): string {
  return PREFIX + encodeURIComponent(conversation)
}

/** An address bar can hold anything; what cannot be a conversation's name is none. */
export function conversationIn(hash: string): string | undefined {
  if (!hash.startsWith(PREFIX)) return undefined
  // Form decoding never throws on a stray percent sign; only its reading of "+" as a blank has to be undone.
  const encoded = hash.slice(PREFIX.length).replaceAll('+', '%2B').replaceAll('&', '%26')
  const { success, data } = Name.safeParse(new URLSearchParams(`id=${encoded}`).get('id'))
  return success ? data : undefined
}
