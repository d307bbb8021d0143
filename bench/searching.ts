import { DatabaseSync } from 'node:sqlite'
import { serve } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const MESSAGES = 100_000
const ROUNDS = 30
/** Common and rare, short and long, and one that is nowhere. */
const QUERIES = ['rename', 'twelve files', '7777', 'tests again before I go', 'plan? 12', 'nowhere at all']

/** What a person waits for after typing, with all hits as lines; and how long an older log takes to be indexed. */
export async function searching({ env, dataWith, file }: Workplace): Promise<Result[]> {
  const bare = openBare(file('bare'))
  const hub = serve(await dataWith(MESSAGES), env())
  const timeline = await openTimeline(await hub.url)
  const welcome = timeline.frame('welcome')
  timeline.say({ type: 'hello' })
  await welcome
  const started = performance.now()
  while ((await search('nowhere at all')).indexing);
  const indexed = performance.now() - started
  const sources = { bare: () => each(bare.search), parley: () => each(search) }
  await interleave(3, sources)
  const times = await interleave(ROUNDS, sources)
  timeline.close()
  await hub.stop()
  return [
    {
      measure: 'search 100,000 messages; bare FTS5 in its process',
      unit: 'ms',
      baseline: median(times.bare),
      parley: median(times.parley),
    },
    { measure: 'index 100,000 messages; bare FTS5', unit: 'ms', baseline: bare.indexed, parley: indexed },
  ]

  async function search(query: string) {
    const found = timeline.frame('found')
    timeline.say({ type: 'search', key: 'bench', query })
    return found
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
function openBare(path: string) {
  const db = new DatabaseSync(path)
  db.exec("PRAGMA journal_mode = WAL; CREATE VIRTUAL TABLE row USING fts5(text, tokenize='trigram')")
  const add = db.prepare('INSERT INTO row (text) VALUES (?)')
  const started = performance.now()
  db.exec('BEGIN')
  for (let n = 0; n < MESSAGES; n++) add.run(textOf(n >> 1))
  db.exec('COMMIT')
  const find = db.prepare(
    `SELECT rowid, snippet(row, 0, '[', ']', '…', 40) FROM row WHERE row MATCH ? ORDER BY rowid DESC LIMIT 30`,
  )
  return {
    indexed: performance.now() - started,
    search: (query: string) => find.all(query.replace(/\S+/g, (word) => (word.length < 3 ? '' : `"${word}"`))),
  }
}
