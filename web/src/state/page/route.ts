import { problemInName, trimmedName } from '../../../../src/protocol/text/name.ts'

const PREFIX = '#/c/'
/** The text between the address of the conversation and the name of the one beside it. */
const BESIDE = '/beside/'
/** A slash within a name is written as %2F, so this one can only be ours. */
const ENTRY = /\/(\d{16})$/

export function hashOf(conversation: string): string {
  return PREFIX + encodeURIComponent(conversation)
}

export function hashOfEntry(conversation: string, entry: string): string {
  return `${hashOf(conversation)}/${entry}`
}

export function entryIn(hash: string): string | undefined {
  return hash.startsWith(PREFIX) ? ENTRY.exec(aloneIn(hash))?.[1] : undefined
}

/** The same with this conversation beside it, if there is one. */
export function withBeside(hash: string, beside: string | undefined): string {
  return beside === undefined ? aloneIn(hash) : `${aloneIn(hash)}${BESIDE}${encodeURIComponent(beside)}`
}

export function besideIn(hash: string): string | undefined {
  const place = hash.indexOf(BESIDE)
  return hash.startsWith(PREFIX) && place >= 0 ? nameIn(hash.slice(place + BESIDE.length)) : undefined
}

/** The hash of the first conversation. */
function aloneIn(hash: string): string {
  return hash.split(BESIDE)[0] ?? ''
}

/** An address bar can hold anything; what cannot be a conversation's name is none. */
export function conversationIn(hash: string): string | undefined {
  if (!hash.startsWith(PREFIX)) return undefined
  return nameIn(aloneIn(hash).slice(PREFIX.length).replace(ENTRY, ''))
}

function nameIn(written: string): string | undefined {
  // Form decoding never throws on a stray percent sign; only its reading of "+" as a blank has to be undone.
  const encoded = written.replaceAll('+', '%2B').replaceAll('&', '%26')
  const name = trimmedName(new URLSearchParams(`id=${encoded}`).get('id') ?? '')
  return problemInName(name) === undefined ? name : undefined
}
