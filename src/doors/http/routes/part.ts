import type { ByteRange } from '../../../files/file-store.ts'
import { ParleyError } from '../../../protocol/errors.ts'

/** One part, from its first byte on or only the last ones. Whatever else is asked for, all of it is the answer. */
const ONE_PART = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/

/** The part of a file that a `Range` header asks for; undefined for all of it. */
export function partIn(range: string | undefined, size: number): ByteRange | undefined {
  const [asked, first, last, tail] = ONE_PART.exec(range ?? '') ?? []
  if (asked === undefined) return undefined
  const start = tail === undefined ? Number(first) : Math.max(0, size - Number(tail))
  const end = Math.min(size - 1, last ? Number(last) : size - 1)
  if (start > end) throw new ParleyError('no_such_part', { size })
  return { start, end }
}
