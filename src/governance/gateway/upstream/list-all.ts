import { isSpecType } from '@modelcontextprotocol/client'
import { isRecord } from '../../../protocol/text/record.ts'
import { isMountedRequest } from '../../../protocol/tools/mounted-requests.ts'
import { isPlain, visible } from '../clean-text.ts'
import { withUsableOutputs } from './output-schemas.ts'
import type { Trials } from './usable-schemas.ts'

type Item = Record<string, unknown>

interface Listing {
  request(method: string, params: Item, asking: { signal: AbortSignal }): Promise<Item>
  /** Hears of what nobody will see, and why. */
  leftOut(what: string): void
  schemas: Trials
}

const MOST_PAGES = 100
const MOST_ITEMS = 5000
/** The most characters as JSON, of one item and of all together. */
const LONGEST = 256 * 1024
const LONGEST_LIST = 8 * 1024 * 1024
const LONGEST_NAME = 200
/** The time for all of its pages together. */
const LIST_MS = 30_000

/** What a list is called, and what its items are. */
const KINDS: Record<string, { key: string; isOne(item: unknown): boolean; named: string }> = {
  'tools/list': { key: 'tools', isOne: isSpecType.Tool, named: 'name' },
  'prompts/list': { key: 'prompts', isOne: isSpecType.Prompt, named: 'name' },
  'resources/list': { key: 'resources', isOne: isSpecType.Resource, named: 'uri' },
  'resources/templates/list': {
    key: 'resourceTemplates',
    isOne: isSpecType.ResourceTemplate,
    named: 'uriTemplate',
  },
}

/**
 * Every page of a list. A server without an end to it is not followed to it, and what clients could not read is left
 * out, because they would refuse the whole list, with what is of other servers.
 */
export async function listAll(method: string, listing: Listing): Promise<Item[]> {
  const items = await gathered(method, listing)
  return method === 'tools/list' ? withUsableOutputs(items, listing) : items
}

async function gathered(method: string, { request, leftOut }: Listing): Promise<Item[]> {
  const { key, isOne, named } = KINDS[method] ?? { key: '', isOne: () => false, named: '' }
  const items: Item[] = []
  const signal = AbortSignal.timeout(LIST_MS)
  let [cursor, length]: [unknown, number] = [undefined, 0]
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor }
    const { [key]: listed, nextCursor } = await request(method, params, { signal })
    for (const item of Array.isArray(listed) ? listed : []) {
      const size = JSON.stringify(item).length
      const why = whyNot(item, size)
      if (!why) length += size
      if (length > LONGEST_LIST || items.length === MOST_ITEMS) {
        leftOut(`whatever comes after the first ${items.length} ${key}: the list is too long`)
        return items
      }
      if (why) leftOut(`${visible(nameOf(item)).slice(0, LONGEST_NAME)} of its ${key}: ${why}`)
      else items.push(item)
    }
    if (typeof nextCursor !== 'string' || nextCursor === cursor) return items
    cursor = nextCursor
  }
  leftOut(`whatever comes after ${MOST_PAGES} pages of its ${key}`)
  return items

  function whyNot(item: unknown, size: number): string | undefined {
    if (size > LONGEST) return `it is longer than ${LONGEST / 1024} KiB`
    if (!isOne(item)) return 'it is not described as MCP wants it'
    const name = nameOf(item)
    if (named === 'name' && name.length > LONGEST_NAME) return `its name is longer than ${LONGEST_NAME} characters`
    // A rule about the one would be about the other.
    if (method === 'tools/list' && isMountedRequest(name)) return 'its name is that of a request'
    return isPlain(name) ? undefined : 'its name has characters that cannot be seen'
  }

  function nameOf(item: unknown): string {
    return isRecord(item) && typeof item[named] === 'string' ? item[named] : 'one'
  }
}
