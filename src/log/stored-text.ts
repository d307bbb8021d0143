import { attempt } from '../io/attempt.ts'
import type { Draft, NamesIn } from './journal.ts'

/** The text under which a JSON value is stored. */
export function toText(value: unknown): string {
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('Only JSON values can be stored')
  return text
}

/** A draft as it is stored, with the names that it is found by. Objects take long from thread to thread. */
export type StoredDraft = [key: string | undefined, body: string, names?: string[]]

/** Drafts as they are stored. Throws a `TypeError` for what could not be read again as it was written. */
export function toTexts(conversation: string, drafts: Draft[], namesIn: NamesIn = () => []): StoredDraft[] {
  for (const name of [conversation, ...drafts.map(({ key }) => key ?? '')]) storableName(name)
  return drafts.map(({ key, body }) => {
    const found = namesIn(body)
    return found.length > 0 ? [key, toText(body), found] : [key, toText(body)]
  })
}

/** Throws a `TypeError` for a name that could not be read again as it was written. */
export function storableName(name: string): string {
  if (!name.isWellFormed()) throw new TypeError('A half of a surrogate pair cannot be stored')
  return name
}

/**
 * Reads stored texts, by a function that may throw at some of them: what it throws says only that it cannot read this
 * one, which must not take the page, the follower or the index with it that comes by. [L41]
 */
export function forgiving<Value>(read: (text: string) => Value, otherwise: (text: string) => Value) {
  return (text: string): Value =>
    attempt(
      () => read(text),
      () => otherwise(text),
    )
}
