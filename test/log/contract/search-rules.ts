import { expect } from 'vitest'
import type { Findings, SearchQuery } from '../../../src/log/search/search.ts'
import type { Log } from '../../../src/log/views.ts'
import { write } from './collector.ts'
import { filterRules } from './filter-rules.ts'
import type { LogTest } from './place.ts'

/** For engines that can search. Their bodies are indexed as `plain-text.ts` says. */
export function searchRules(test: LogTest, durable: boolean) {
  test('[L30] the newest entries come first that hold every word, as part of a word too', async ({ log }) => {
    await write(log, 'a', ['Rename the file', 'The tests pass', 'renaming files again'])
    await write(log, 'b', ['A file was renamed', 'nothing'])
    expect(await textsOf(log, 'rename')).toEqual(['A file was renamed', 'renaming files again', 'Rename the file'])
    expect(await textsOf(log, '"rename"')).toEqual(['A file was renamed', 'Rename the file'])
    expect(await textsOf(log, 'file renam')).toEqual(['A file was renamed', 'renaming files again', 'Rename the file'])
    expect(await textsOf(log, 'tests nothing')).toEqual([])
    expect(await textsOf(log, '   ')).toEqual([])
  })

  test('[L55] a word is found in its other forms, and one in quotes only as it is', async ({ log }) => {
    const said = [
      'two certificates',
      'the certificate',
      'deployed',
      'The deployment',
      'deploying it',
      'a city',
      'Cities!',
    ]
    await write(log, 'a', [...said, 'runs', 'we ran', 'it is running', 'pass', 'passes', 'certain', 'processed'])
    expect(await textsOf(log, 'certificate')).toEqual(['the certificate', 'two certificates'])
    expect(await textsOf(log, 'Certificates')).toEqual(['the certificate', 'two certificates'])
    expect(await textsOf(log, '"certificates"')).toEqual(['two certificates'])
    expect(await textsOf(log, 'deployments')).toEqual(['deploying it', 'The deployment', 'deployed'])
    expect(await textsOf(log, 'city')).toEqual(['Cities!', 'a city'])
    expect(await textsOf(log, 'cities')).toEqual(['Cities!', 'a city'])
    expect(await textsOf(log, 'running')).toEqual(['it is running', 'runs'])
    expect(await textsOf(log, 'passes')).toEqual(['passes', 'pass'])
    const [hit] = (await settled(log, { query: 'certificates', limit: 1 })).hits
    expect(hit?.snippet).toEqual({ text: 'the certificate', ranges: [[4, 15]] })
  })

  test('[L56] similar words are one letter away, wherever it is, in any form and while they are typed', async ({
    log,
  }) => {
    await write(log, 'a', [
      'The certificate expired',
      'two certificates',
      'a ceremony',
      'Deploy it',
      'certain',
      'déjà vu',
    ])
    const both = ['two certificates', 'The certificate expired']
    const wrong = ['certficate', 'certificcate', 'certifcate', 'cretificate', 'certifikate', 'certificat', 'ertificate']
    for (const query of [...wrong, 'certficates', 'CERTFICATE', 'certfic', 'certificaet'])
      expect(await textsOf(log, query, { similar: true }), query).toEqual(both)
    expect(await textsOf(log, 'certficate expired', { similar: true })).toEqual(['The certificate expired'])
    expect(await textsOf(log, 'depoly', { similar: true })).toEqual(['Deploy it'])
    expect(await textsOf(log, 'ceremnoy', { similar: true })).toEqual(['a ceremony'])
    expect(await textsOf(log, 'deplyo', { similar: true })).toEqual(['Deploy it'])
    expect(await textsOf(log, 'deplox', { similar: true })).toEqual(['Deploy it'])
    expect(await textsOf(log, 'crtfcate', { similar: true })).toEqual([])
    expect(await textsOf(log, '"certficate"', { similar: true })).toEqual([])
    expect(await textsOf(log, 'certficate')).toEqual([])
    const [hit] = (await settled(log, { query: 'certficate', similar: true, limit: 1 })).hits
    expect(hit?.snippet).toEqual({ text: 'two certificates', ranges: [[4, 16]] })
  })

  test('[L57] a search among some conversations finds only there, with words and without', async ({ log }) => {
    for (const name of ['a', 'b', 'c']) await write(log, name, [`deploy in ${name}`])
    const among = ['a', 'c', 'nowhere']
    expect(await textsOf(log, 'deploy', { among })).toEqual(['deploy in c', 'deploy in a'])
    expect(await textsOf(log, '', { among })).toEqual(['deploy in c', 'deploy in a'])
    expect(await textsOf(log, '', { among: ['b'] })).toEqual(['deploy in b'])
    expect(await textsOf(log, 'deploy', { among, conversation: 'b' })).toEqual([])
    expect(await textsOf(log, 'deploy', { among, conversation: 'c' })).toEqual(['deploy in c'])
    expect(await textsOf(log, 'deploy', { among: [] })).toEqual([])
  })

  test('[L30] neither case nor accents matter, and words in quotes stand together', async ({ log }) => {
    const said = ['Ein Café in GÖTEBORG', 'café latte, göteborg', 'the\n  quick fox', 'quick the fox', 'ΟΔΟΣ 한국어']
    await write(log, 'a', said)
    expect(await textsOf(log, 'CAFE goteborg')).toEqual(['café latte, göteborg', 'Ein Café in GÖTEBORG'])
    expect(await textsOf(log, '"the quick"')).toEqual(['the quick fox'])
    expect(await textsOf(log, 'the quick')).toEqual(['quick the fox', 'the quick fox'])
    expect(await textsOf(log, 'οδος 한국')).toEqual(['ΟΔΟΣ 한국어'])
  })

  test('[L30] words of one or two letters are found, alone and beside longer ones', async ({ log }) => {
    await write(log, 'a', ['if (a < b) go', '部署 now', 'go on now', 7])
    expect(await textsOf(log, 'go')).toEqual(['go on now', 'if (a < b) go'])
    expect(await textsOf(log, '部署')).toEqual(['部署 now'])
    expect(await textsOf(log, 'now on')).toEqual(['go on now'])
    expect(await textsOf(log, '<')).toEqual(['if (a < b) go'])
  })

  test('[L31] pages go on where the last one ended, each hit once', async ({ log }) => {
    const bodies = Array.from({ length: 53 }, (_, n) => `deploy ${n}`)
    await write(log, 'a', bodies)
    for (const query of ['deploy', 'de']) {
      const pages: string[][] = []
      for (let before: string | undefined; ; ) {
        const { hits, next } = await search(log, { query, before, limit: 10 })
        pages.push(hits.map(({ snippet }) => snippet.text))
        if (next === undefined) break
        before = next
      }
      expect(pages.flat()).toEqual(bodies.toReversed())
      expect(pages.map((page) => page.length)).toEqual([10, 10, 10, 10, 10, 3])
    }
    expect((await search(log, { query: 'deploy 5', limit: 8 })).next).toBeUndefined()
    expect((await search(log, { query: 'deploy 5', limit: 7 })).next).toBeDefined()
  })

  test('[L31] words too short for the index are looked for piece by piece, through the whole log', async ({ log }) => {
    await write(log, 'a', ['xy first'])
    const { id } = (await log.read({ limit: 1 }))[0] ?? { id: '' }
    const filling = Array.from({ length: 2500 }, (_, n) => ({ body: `filling ${n}` }))
    await log.append('a', id, filling)
    const found: string[] = []
    let pages = 0
    for (let before: string | undefined; ; pages++) {
      const { hits, next, indexing } = await search(log, { query: 'xy', before, limit: 10 })
      if (indexing) continue
      found.push(...hits.map(({ snippet }) => snippet.text))
      if (next === undefined) break
      before = next
    }
    expect(found).toEqual(['xy first'])
    expect(pages).toBeGreaterThanOrEqual(2)
  })

  test('[L32] a search in one conversation finds only there', async ({ log }) => {
    for (const name of ['a', 'b', 'c']) await write(log, name, [`deploy in ${name}`, 'go'])
    expect(await textsOf(log, 'deploy', { conversation: 'b' })).toEqual(['deploy in b'])
    expect(await textsOf(log, 'in', { conversation: 'b' })).toEqual(['deploy in b'])
    expect(await textsOf(log, 'deploy', { conversation: 'nowhere' })).toEqual([])
    expect(await textsOf(log, '\ue001\ue000\ue000')).toEqual([])
  })

  test('[L33] any text is a query: nothing in it is an operator, breaks it or finds what is not there', async ({
    log,
  }) => {
    const odd = [
      'a "quoted" word',
      "it's * NOT (a) OR b^2",
      'emoji 👩‍🚀🚀 here',
      'zero\0byte',
      'text:place -x +y',
      '{}[]\\',
    ]
    await write(log, 'a', odd)
    for (const text of odd) {
      const found = (await settled(log, { query: text.replaceAll('"', ''), limit: 9 })).hits
      expect(found.length, text).toBe(text.includes('quoted') || !text.includes('"') ? 1 : 0)
    }
    const queries = [
      '"',
      '""',
      '"""',
      'AND',
      'NEAR(',
      'a OR b',
      'text:',
      '* ',
      '-',
      '\0',
      '\ud800',
      '\udfff\ud800x',
      '🚀🚀🚀',
    ]
    queries.push(
      'x'.repeat(10_000),
      'a b '.repeat(2500),
      '"'.repeat(5001),
      '%_%',
      "'; DROP TABLE entry; --",
      '\u202eabc',
    )
    for (const query of queries) expect(Array.isArray((await search(log, { query, limit: 9 })).hits), query).toBe(true)
    expect(await textsOf(log, '🚀 here')).toEqual(['emoji 👩‍🚀🚀 here'])
  })

  test('[L34] a hit shows one line around its first match, and where the words are in it', async ({ log }) => {
    const words = 'The quick brown fox jumps over the lazy dog. '.repeat(20)
    await write(log, 'a', [`${words}\n\nHere   is Ünïcode and unicode.\n${words}`, 'Short one'])
    const [hit] = (await settled(log, { query: 'unicode here', limit: 1 })).hits
    const { text = '', ranges = [] } = hit?.snippet ?? {}
    expect(ranges.map(([start, end]) => text.slice(start, end))).toEqual(['Here', 'Ünïcode', 'unicode'])
    expect(text).toMatch(/^….*dog\. Here is Ünïcode and unicode\. The.*…$/)
    expect(text.length).toBeLessThan(200)
    expect((await search(log, { query: 'short', limit: 1 })).hits[0]).toMatchObject({
      conversation: 'a',
      id: expect.stringMatching(/^\d{16}$/),
      at: expect.any(Number),
      snippet: { text: 'Short one', ranges: [[0, 5]] },
    })
  })

  test('[L34] of a very long text the first 32,768 letters can be found', async ({ log }) => {
    const padding = 'x'.repeat(32_700)
    await write(log, 'a', [`${padding} needle ${padding} thimble`])
    expect((await settled(log, { query: 'needle', limit: 1 })).hits).toHaveLength(1)
    expect((await search(log, { query: 'thimble', limit: 1 })).hits).toEqual([])
  })

  test('[L35] what was accepted is found at once', async ({ log }) => {
    for (let n = 0; n < 20; n++) {
      await write(log, 'a', [n])
      expect(await search(log, { query: `n${n}n`, limit: 2 })).toMatchObject({ hits: [{}], indexing: false })
    }
  })

  filterRules(test)

  if (durable)
    test('[L35] everything is found after the log was opened again', async ({ log, reopen }) => {
      await write(log, 'a', ['deploy one', 'deploy two'])
      const again = await reopen()
      await write(again, 'a', ['deploy three'])
      expect(await textsOf(again, 'deploy')).toEqual(['deploy three', 'deploy two', 'deploy one'])
    })
}

export function search(log: Log, wanted: SearchQuery): Promise<Findings> {
  if (!log.search) throw new Error('This log cannot be searched')
  return log.search(wanted)
}

/** Once everything is indexed; each search adds to the index, so that this ends. */
export async function settled(log: Log, wanted: SearchQuery): Promise<Findings> {
  for (;;) {
    const findings = await search(log, wanted)
    if (!findings.indexing) return findings
  }
}

async function textsOf(log: Log, query: string, more: Omit<SearchQuery, 'query' | 'limit'> = {}) {
  const { hits } = await settled(log, { query, ...more, limit: 10 })
  return hits.map(({ snippet }) => snippet.text)
}
