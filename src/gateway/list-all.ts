import { isRecord } from '../protocol/record.ts'
import type { Raw, Upstream } from './upstream.ts'

const MOST_PAGES = 100
const MOST_ITEMS = 5000
const LIST_MS = 30_000

/** Every page of a list. A server without an end to it is not followed to it. */
export async function listAll({ request }: Pick<Upstream, 'request'>, method: string, key: string): Promise<Raw[]> {
  const items: Raw[] = []
  let cursor: unknown
  for (let page = 0; page < MOST_PAGES && items.length < MOST_ITEMS; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const { [key]: listed, nextCursor } = await request(method, params, { signal: AbortSignal.timeout(LIST_MS) })
    if (Array.isArray(listed)) for (const item of listed) if (isRecord(item)) items.push(item)
    if (typeof nextCursor !== 'string' || nextCursor === cursor) break
    cursor = nextCursor
  }
  return items.slice(0, MOST_ITEMS)
}
