import type { DatabaseSync } from 'node:sqlite'
import type { Snippet, TextOf } from './search.ts'
import { fold, trigramsOf, wordsOf } from './search-words.ts'
import { snippetOf } from './snippet.ts'
import { prepareRows } from './sqlite-rows.ts'
import { forgiving } from './stored-text.ts'

export type RowsWanted = { query: string; conversation?: string; before: number; limit: number }
export type RowsFound = { hits: FoundRow[]; next?: number; indexing: boolean }
export type FoundRow = [id: number, conversation: string, snippet: Snippet]
export type SearchIndex = ReturnType<typeof createSearchIndex>
type Row = [id: number, conversation: number, body: string]

// Another index, or other words in it, is another version: then it is made anew.
const VERSION = 2
/** Of a very long text its beginning can be found: indexing a million letters would hold up every commit meanwhile. */
const LONGEST_TEXT = 32_768
const STEP_ENTRIES = 64
const STEP_LETTERS = 2 * LONGEST_TEXT
// Both bound how long the log's thread is busy with one search.
const MOST_TRIGRAMS = 24
const MOST_LOOKED_AT = 1000

/**
 * The index is no part of the log but made from it, entry by entry up to `indexed`: a Parley that knows nothing of it
 * may append, a kill may come at any time, and what is missing is found by its id. It keeps no text and no places of
 * words, which makes it half as large and half as costly; every hit is checked against its entry instead.
 */
const SCHEMA = `
  CREATE TABLE search_index (version INTEGER NOT NULL, indexed INTEGER NOT NULL) STRICT;
  INSERT INTO search_index VALUES (${VERSION}, 0);
  CREATE VIRTUAL TABLE entry_text USING
    fts5(text, place, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1');
`

/** Finds entries of a database that has the log's schema. One that cannot be read says nothing. */
export function createSearchIndex(db: DatabaseSync, textOf: TextOf) {
  const textIn = forgiving(
    (body) => textOf(JSON.parse(body))?.slice(0, LONGEST_TEXT),
    () => undefined,
  )
  let statements: ReturnType<typeof prepareAll> | undefined
  let indexed = 0
  return { step, search, remake }

  /** Takes the next few entries into the index, and says whether there may be more. */
  function step(): boolean {
    const { after, add, advance } = ready()
    const rows: Row[] = []
    let letters = 0
    for (const row of after.iterate(indexed, STEP_ENTRIES) as Iterable<unknown>) {
      rows.push(row as Row)
      letters += Math.min((row as Row)[2].length, LONGEST_TEXT)
      if (letters > STEP_LETTERS) break
    }
    const last = rows.at(-1)?.[0]
    if (last === undefined) return false
    unsynced(() => {
      for (const [id, conversation, body] of rows) {
        const text = textIn(body)
        if (text !== undefined) add.run(id, fold(text), placeOf(conversation))
      }
      advance.run(last)
    })
    indexed = last
    return rows.length === STEP_ENTRIES || letters > STEP_LETTERS
  }

  /** What was said a moment ago is found too, unless there is much of it. */
  function search({ query, conversation, before, limit }: RowsWanted): RowsFound {
    const indexing = step()
    const words = wordsOf(query)
    const hits: FoundRow[] = []
    let seen = 0
    let last = before
    for (const [id, name, body] of words.length > 0 ? candidates(words, conversation, before) : []) {
      if (++seen > MOST_LOOKED_AT) return { hits, next: last, indexing }
      const text = textIn(body)
      if (text !== undefined && (conversation ?? name) === name && holdsAll(text, words)) {
        if (hits.length === limit) return { hits, next: hits.at(-1)?.[0], indexing }
        hits.push([id, name, snippetOf(text, words)])
      }
      last = id
    }
    return { hits, indexing }
  }

  /** Newest first: those with the letters of the words, or simply all where the words are too short to be indexed. */
  function candidates(words: string[], conversation: string | undefined, before: number) {
    const { matching, all, allOf, numberOf } = ready()
    const most = MOST_LOOKED_AT + 1
    const end = Math.min(before, indexed + 1)
    const trigrams = trigramsOf(words, MOST_TRIGRAMS)
    const number = conversation === undefined ? undefined : (numberOf.get(conversation) as unknown as [number])?.[0]
    if (conversation !== undefined && number === undefined) return []
    const rows =
      trigrams.length > 0
        ? matching.iterate(matchOf(number === undefined ? trigrams : [...trigrams, placeOf(number)]), end, most)
        : number === undefined
          ? all.iterate(end, most)
          : allOf.iterate(number, end, most)
    return rows as Iterable<unknown> as Iterable<[id: number, conversation: string, body: string]>
  }

  /** Made when it is first needed, so that opening a log costs nothing. */
  function ready() {
    if (statements) return statements
    const known = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'search_index'").get()
    const state = known && db.prepare('SELECT version, indexed FROM search_index').get()
    if (state?.version !== VERSION) remake()
    else indexed = Number(state.indexed)
    statements = prepareAll(db)
    return statements
  }

  function remake() {
    statements = undefined
    indexed = 0
    unsynced(() => db.exec(`DROP TABLE IF EXISTS search_index; DROP TABLE IF EXISTS entry_text; ${SCHEMA}`))
  }

  /** In a transaction that does not wait for the disk: what it loses in a power cut is made again. */
  function unsynced(write: () => void) {
    try {
      db.exec('PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE')
      write()
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    } finally {
      db.exec('PRAGMA synchronous = FULL')
    }
  }
}

function prepareAll(db: DatabaseSync) {
  const named = 'SELECT id, name, body FROM entry CROSS JOIN conversation ON number = entry.conversation'
  return {
    after: prepare('SELECT id, conversation, body FROM entry WHERE id > ? ORDER BY id LIMIT ?'),
    add: prepare('INSERT INTO entry_text (rowid, text, place) VALUES (?, ?, ?)'),
    advance: prepare('UPDATE search_index SET indexed = ?'),
    numberOf: prepare('SELECT number FROM conversation WHERE name = ?'),
    matching: prepare(
      `SELECT id, name, body FROM entry_text CROSS JOIN entry ON id = entry_text.rowid
       CROSS JOIN conversation ON number = entry.conversation
       WHERE entry_text MATCH ? AND entry_text.rowid < ? ORDER BY entry_text.rowid DESC LIMIT ?`,
    ),
    all: prepare(`${named} WHERE id < ? ORDER BY id DESC LIMIT ?`),
    allOf: prepare(`${named} WHERE entry.conversation = ? AND id < ? ORDER BY id DESC LIMIT ?`),
  }

  function prepare(sql: string) {
    return prepareRows(db, sql)
  }
}

function holdsAll(text: string, words: string[]): boolean {
  const folded = fold(text)
  return words.every((word) => folded.includes(word))
}

/** All of them. Quoted, nothing in them is an operator. */
function matchOf(trigrams: string[]): string {
  return trigrams.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ')
}

const PRIVATE_USE = 0xe000
const PRIVATE_USE_SIZE = 6400

/** The number of a conversation as three letters that no text has: one more word to match finds its entries alone. */
function placeOf(number: number): string {
  const digits = [number, number / PRIVATE_USE_SIZE, number / PRIVATE_USE_SIZE ** 2]
  return String.fromCharCode(...digits.map((digit) => PRIVATE_USE + (Math.floor(digit) % PRIVATE_USE_SIZE)))
}
