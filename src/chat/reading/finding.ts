import type { Findings, SearchQuery } from '../../log/search/search.ts'
import { hasSimilar, holdsAll, wordsOf } from '../../log/search/search-words.ts'
import type { Views } from '../../log/views.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { SearchFilter } from '../../protocol/frames/search.ts'
import { AGENT, readTags, TITLES, tagsFor } from './search-tags.ts'

interface FindingParts {
  /** The conversations that are meant, where it is not all of them. */
  among(wanted: SearchFilter): Promise<string[] | undefined>
  views: Pick<Views, 'search' | 'tags' | 'conversations'>
  titleOf(conversation: string): Promise<string>
  /** Whether a message has other words by now, or none. */
  isRevised(message: string): boolean
}

interface FindOptions extends SearchFilter {
  query: string
  conversation?: string
  before?: string
  similar?: true
  limit: number
}

/** Both bound what one search costs. */
const NAMES_LOOKED_AT = 1000
const AGENTS = 50

/** The search for messages by their words. */
export function createFinding({ views, among, titleOf, isRevised }: FindingParts) {
  return { canSearch: () => views.search !== undefined, search, titled, agentNames }

  /** Newest first, with the title that each conversation has now. */
  async function search({ query, conversation, before, since, until, limit, similar, ...filter }: FindOptions) {
    const place = { conversation, among: await among(filter), before, since, until }
    const wanted = { query, ...place, tags: tagsFor(filter), limit }
    const isFirst = before === undefined && !similar
    const { hits: all, ...more } = isFirst
      ? await findAny(wanted)
      : { ...(await find({ ...wanted, similar })), similar }
    // Its first words are not shown any more; newer ones are found by themselves.
    const hits = all.filter(({ id }) => !isRevised(id))
    const titles = new Map<string, string>()
    for (const conversation of new Set(hits.map((hit) => hit.conversation)))
      titles.set(conversation, await titleOf(conversation))
    const told = hits.map(({ tags, ...hit }) => ({
      ...hit,
      ...readTags(tags),
      title: titles.get(hit.conversation) ?? hit.conversation,
    }))
    return { ...more, hits: told }
  }

  /** What has the words, or, where nothing has, what has similar ones. Pages go on as the first one began. */
  async function findAny(wanted: SearchQuery): Promise<Findings & { similar?: true }> {
    const found = await find(wanted)
    const isNone = found.hits.length === 0 && found.next === undefined
    if (!isNone || !hasSimilar(wanted.query)) return found
    const near = await find({ ...wanted, similar: true })
    return near.hits.length > 0 || near.next !== undefined ? { ...near, similar: true } : found
  }

  /**
   * Conversations that are called so: by a title that was given to them, and of the newest ones by their names, too.
   * Where none is, those that are called nearly so.
   */
  async function titled(query: string, conversation: string | undefined, limit: number) {
    const titled = await named(query, conversation, limit)
    if (titled.length > 0 || !hasSimilar(query)) return { titled }
    const near = await named(query, conversation, limit, true)
    return near.length > 0 ? { titled: near, titled_similar: true as const } : { titled }
  }

  async function named(query: string, conversation: string | undefined, limit: number, similar = false) {
    const words = wordsOf(query, similar)
    if (words.length === 0) return []
    const { hits } = await find({ query, conversation, similar, tags: TITLES, limit })
    const newest = await views.conversations({ limit: NAMES_LOOKED_AT })
    const names = newest.map((known) => known.conversation).filter((name) => (conversation ?? name) === name)
    const called = new Set([...names.filter((name) => holdsAll(name, words)), ...hits.map((hit) => hit.conversation)])
    const found: { id: string; title: string }[] = []
    for (const id of called) {
      if (found.length === limit) break
      const title = await titleOf(id)
      // One that is called otherwise by now is not meant.
      if (holdsAll(title, words) || holdsAll(id, words)) found.push({ id, title })
    }
    return found
  }

  /** The agents that have written anything. */
  async function agentNames(): Promise<string[]> {
    const tags = (await views.tags?.(AGENT, AGENTS)) ?? []
    return tags.map((tag) => tag.slice(AGENT.length))
  }

  async function find(wanted: SearchQuery) {
    if (!views.search) throw new ParleyError('no_search')
    return views.search(wanted)
  }
}
