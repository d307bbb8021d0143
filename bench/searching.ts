import { DatabaseSync } from 'node:sqlite'
import { serve } from './process.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { textOf } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { messages: 100_000, warmUp: 3, rounds: 30 },
  smallest: { messages: 20, warmUp: 0, rounds: 1 },
}
/** Common and rare, short and long, and one that is nowhere. */
const QUERIES = ['rename', 'twelve files', '7777', 'tests again before I go', 'plan? 12', 'nowhere at all']

/** What a person waits for after typing, with all hits as lines; and how long an older log takes to be indexed. */
export async function searching({ size, env, dataWith, file }: Workplace): Promise<Result[]> {
  const { messages, warmUp, rounds } = SIZES[size]
  const bare = openBare(file('bare'), messages)
  const hub = serve(await dataWith(messages), env())
  const timeline = await openTimeline(await hub.url)
  await timeline.greet()
  const started = performance.now()
  while ((await search('nowhere at all')).indexing);
  const indexed = performance.now() - started
  const sources = { bare: () => each(bare.search), parley: () => each(search) }
  await interleave(warmUp, sources)
  const times = await interleave(rounds, sources)
  timeline.close()
  await hub.stop()
  return [
    {
      measure: `search ${written(messages)} messages; bare FTS5 in its process`,
      unit: 'ms',
      baseline: median(times.bare),
      parley: median(times.parley),
    },
    { measure: `index ${written(messages)} messages; bare FTS5`, unit: 'ms', baseline: bare.indexed, parley: indexed },
  ]

  function search(query: string) {
    return timeline.ask('found', { type: 'search', key: 'bench', query })
  }
}

async function each(search: (query: string) => unknown): Promise<number[]> {
  const times: number[] = []
  for (const query of QUERIES) {
    const started = performance.now()
    await search(query)
    times.push(performance.now() - started)
  }
  return times
}

/** The same texts in a table as the manual of SQLite shows it. */
function openBare(path: string, messages: number) {
  const db = new DatabaseSync(path)
  db.exec("PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE row USING fts5(text, tokenize='trigram')")
  const add = db.prepare('INSERT INTO row (text) VALUES (?)')
  const started = performance.now()
  db.exec('BEGIN')
  for (let n = 0; n < messages; n++) add.run(textOf(n >> 1))
  db.exec('COMMIT')
  const find = db.prepare(
    `SELECT rowid, snippet(row, 0, '[', ']', '…', 40) FROM row WHERE row MATCH ? ORDER BY rowid DESC LIMIT 30`,
  )
  return {
    indexed: performance.now() - started,
    search: (query: string) => find.all(query.replace(/\S+/g, (word) => (word.length < 3 ? '' : `"${word}"`))),
  }
}
