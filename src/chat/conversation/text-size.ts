import type { Body } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { fits } from '../../protocol/text/text.ts'
import type { Proposed } from './decision.ts'

/** The room for the names that stand around a text. */
const AROUND_BYTES = 64 * 1024
const VALUE_BYTES = 8

/** Refuses what holds a longer text than this hub takes, or more than that in all; the protocol itself allows 1 MiB. */
export function mustFit(proposed: Proposed[], limitBytes: number) {
  for (const { body } of proposed) {
    for (const text of Object.values(body))
      if (typeof text === 'string' && !fits(text, limitBytes))
        throw new ParleyError('text_too_large', { limit: limitBytes })
    if (!fitsEntry(body, limitBytes)) throw new ParleyError('entry_too_large', { limit: limitBytes })
  }
}

/** Whether all of it together is no larger than an entry may be. */
export function fitsEntry(body: Body, limitBytes: number): boolean {
  return bytesOf(body) <= limitBytes + AROUND_BYTES
}

/** The size of all texts in it as UTF-8, however deep, and a little for each value. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return VALUE_BYTES
  let bytes = VALUE_BYTES
  for (const name of Object.keys(value)) bytes += name.length + bytesOf(value[name as keyof typeof value])
  return bytes
}
