import { expect } from 'vitest'
import type { SearchQuery } from '../../../src/log/search/search.ts'
import type { Log } from '../../../src/log/views.ts'
import { write } from './collector.ts'
import type { LogTest } from './place.ts'

const said = (text: string, ...tags: string[]) => ({ text, tags })

/** Of what `search-rules.ts` says, what a search leaves out. */
export function filterRules(test: LogTest) {
  test('[L48] a search finds only what has a tag of each group, with and without words', async ({ log }) => {
    await write(log, 'a', [
      said('deploy one', 'red', 'big'),
      said('deploy two', 'blue'),
      said('three', 'red'),
      'deploy',
    ])
    await write(log, 'b', [said('deploy four', 'blue', 'big')])
    const marked = (...tags: string[][]) => found(log, { query: 'deploy', tags })
    expect(await marked(['red'])).toEqual(['deploy one'])
    expect(await marked(['red', 'blue'])).toEqual(['deploy four', 'deploy two', 'deploy one'])
    expect(await marked(['red', 'blue'], ['big'])).toEqual(['deploy four', 'deploy one'])
    expect(await marked(['green'])).toEqual([])
    expect(await found(log, { query: ' ', tags: [['red']] })).toEqual(['three', 'deploy one'])
    expect(await found(log, { query: 'de', tags: [['blue']], conversation: 'b' })).toEqual(['deploy four'])
  })

  test('[L48] a search finds only what was said at a moment or later', async ({ log }) => {
    await write(log, 'a', ['deploy one', said('deploy two', 'red')])
    const [first, second] = await log.read({ limit: 2 })
    const since = (second?.at ?? 0) + 1
    while (Date.now() <= since);
    await write(log, 'a', [said('deploy three', 'red')])
    expect(await found(log, { query: 'deploy', since })).toEqual(['deploy three'])
    expect(await found(log, { query: 'deploy', since: first?.at ?? 0 })).toHaveLength(3)
    expect(await found(log, { query: '', since })).toEqual(['deploy three'])
    expect(await found(log, { query: 'de', since, conversation: 'a' })).toEqual(['deploy three'])
    expect(await found(log, { query: '', tags: [['red']], since: 0 })).toEqual(['deploy three', 'deploy two'])
    expect(await found(log, { query: 'deploy', since: Date.now() + 1e9 })).toEqual([])
  })

  test('[L48] pages of what has a tag go on where the last one ended', async ({ log }) => {
    const bodies = Array.from({ length: 25 }, (_, n) => said(`entry ${n}`, n % 2 === 0 ? 'even' : 'odd'))
    await write(log, 'a', bodies)
    const texts: string[] = []
    for (let before: string | undefined; ; ) {
      const page = await log.search?.({ query: '', tags: [['even']], before, limit: 5 })
      texts.push(...(page?.hits ?? []).map(({ snippet }) => snippet.text))
      if (page?.next === undefined) break
      before = page.next
    }
    expect(texts).toEqual(
      bodies
        .filter(({ tags }) => tags[0] === 'even')
        .map(({ text }) => text)
        .reverse(),
    )
  })

  test('[L34] a line shows a text as people read it, where the words are in that', async ({ log }) => {
    await write(log, 'a', [said('A *star*', 'sky')])
    expect(await found(log, { query: 'star' })).toEqual(['A star'])
    expect(await found(log, { query: '*star' })).toEqual(['A *star*'])
  })

  test('[L49] a log tells the tags that it knows, and each hit has its own', async ({ log }) => {
    await write(log, 'a', [said('x1x', 'by:b', 'kind:y'), said('x2x', 'by:a'), said('x3x', 'by:b'), said('x4x', 'c')])
    const { hits = [] } = (await log.search?.({ query: 'x1x', limit: 1 })) ?? {}
    expect(hits[0]?.tags).toEqual(['by:b', 'kind:y'])
    expect(await log.tags?.('by:', 9)).toEqual(['by:a', 'by:b'])
    expect(await log.tags?.('by:', 1)).toEqual(['by:a'])
    expect(await log.tags?.('z', 9)).toEqual([])
  })
}

async function found(log: Log, wanted: Omit<SearchQuery, 'limit'>): Promise<string[] | undefined> {
  return (await log.search?.({ ...wanted, limit: 10 }))?.hits.map(({ snippet }) => snippet.text)
}
