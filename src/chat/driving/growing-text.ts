import { ParleyError } from '../../protocol/errors.ts'
import type { Partial } from '../../protocol/frames/driving.ts'

export type GrowingText = ReturnType<typeof createGrowingText>

/** The limit in UTF-16 units. Longer texts are not shown before they are finished. */
export const LONGEST_PARTIAL = 256 * 1024

/** One text while it grows: what everyone was told of it, and what they will be told next. */
export function createGrowingText({ id, kind }: Pick<Partial, 'id' | 'kind'>) {
  let told = ''
  let fresh = ''
  /** The length that did not fit. */
  let beyond = 0
  let isTold = false
  return { mustReach, put, next, soFar, isTold: () => isTold }

  /** Nothing in between may be missing. */
  function mustReach(from: number) {
    const known = told.length + fresh.length + beyond
    if (from > known) throw new ParleyError('partial_gap', { id, known })
  }

  /** Whether that is anything to tell. */
  function put(from: number, text: string): boolean {
    const kept = told.length + fresh.length
    if (from > kept) {
      beyond = from + text.length - kept
      return false
    }
    const isOther = from < told.length
    fresh = isOther ? text : fresh.slice(0, from - told.length) + text
    told = told.slice(0, from)
    const room = LONGEST_PARTIAL - told.length
    beyond = Math.max(0, fresh.length - room)
    fresh = fresh.slice(0, room)
    return isOther || fresh !== '' || !isTold
  }

  function next(): Partial {
    const news = { id, kind, from: told.length, text: fresh }
    told += fresh
    fresh = ''
    isTold = true
    return news
  }

  function soFar(): Partial {
    return { id, kind, from: 0, text: told }
  }
}
