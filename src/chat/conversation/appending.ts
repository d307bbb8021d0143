import { isDeepStrictEqual } from 'node:util'
import { BEFORE_ALL, type Body, type Entry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Decide } from './decision.ts'
import type { Rooms } from './rooms.ts'
import { withoutSecrets } from './without-secrets.ts'

/** Whether an entry is what a command wanted. */
export type IsMeant = (body: Body) => boolean

/** Appends commands. A key leads to what its command did, and to nothing that another one did with it. */
export function createAppending(rooms: Pick<Rooms, 'append'>) {
  return { append, appendToKnown }

  /** `isMeant` tells commands apart that are refused, or would do something else, once they were carried out. */
  async function append(conversation: string, decide: Decide, key?: string, isMeant?: IsMeant): Promise<Entry> {
    let isWanted: IsMeant | undefined
    const noted: Decide = (state) => {
      isWanted = isMeant
      const proposed = decide(state)
      const wanted = proposed.at(-1)?.body
      isWanted = isMeant ?? (wanted && ((body) => isWithin(wanted, body) || isWithin(withoutSecrets(wanted), body)))
      return proposed
    }
    const entry = (await rooms.append(conversation, noted, { key })).at(-1) as Entry
    if (key !== undefined && isWanted?.(entry.body) === false) throw new ParleyError('key_used')
    return entry
  }

  function appendToKnown(conversation: string, decide: Decide, key?: string, isMeant?: IsMeant): Promise<Entry> {
    const known: Decide = (state) => {
      if (state.last === BEFORE_ALL) throw new ParleyError('unknown_conversation', { conversation })
      return decide(state)
    }
    return append(conversation, known, key, isMeant)
  }
}

/**
 * An older Parley may have stored more fields, and JSON has none that are undefined. Every post comes here, most with
 * nothing but itself to be compared with.
 */
function isWithin(wanted: Body, body: Body): boolean {
  const said: Record<string, unknown> = wanted
  const stored: Record<string, unknown> = body
  for (const name in said) if (said[name] !== stored[name] && !isStoredAs(said[name], stored[name])) return false
  return true
}

/** The log keeps what JSON can say, and no half of a surrogate pair. */
function isStoredAs(value: unknown, stored: unknown): boolean {
  if (value === undefined) return true
  if (typeof value === 'string') return typeof stored === 'string' && value.toWellFormed() === stored.toWellFormed()
  return isDeepStrictEqual(JSON.parse(JSON.stringify(value)), stored)
}
