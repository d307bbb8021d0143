import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { transactionsOf } from '../../io/transaction.ts'
import { prepareRows } from '../sqlite/sqlite-rows.ts'
import { forgiving } from '../stored-text.ts'
import type { Findable, Snippet, TextOf } from './search.ts'
import { fold, holdsAll, type Word, wordsOf } from './search-words.ts'
import { snippetOf } from './snippet.ts'
import { matchOf, placeOf, placeOfTag } from './sqlite-search-terms.ts'

export type RowsWanted = {
  query: string
  similar: boolean
  conversation?: string
  among?: string[]
  before: number
  since: number
  until: number
  tags: string[][]
  limit: number
  /** How many entries may be looked into. */
  most: number
  /** A piece of a search that was begun before. */
  goesOn?: boolean
}
/** One piece of a search: `next` is where the next one goes on, unless there is nothing older to look at. */
export type RowsFound = { hits: FoundRow[]; next?: number; isEnough?: boolean; looked: number; indexing: boolean }
export type FoundRow = [id: number, conversation: string, snippet: Snippet, tags: string[], at: number]
export type SearchIndex = ReturnType<typeof createSearchIndex>
export type Row = [id: number, conversation: number, body: string]

// Another index, or other words in it, is another version: then it is made anew.
const VERSION = 3
/**
 * Only the beginning of a very long text can be found: indexing a million letters would hold up every commit meanwhile.
 */
const LONGEST_TEXT = 32_768
const STEP_ENTRIES = 64
const MERGE_PAGES = 16
const STEP_LETTERS = 2 * LONGEST_TEXT
// These bound how long the log's thread is busy with one piece of a search: appends come in between. [S71]
const MOST_TRIGRAMS = 24
const MOST_SIMILAR = 3
const PIECE_LETTERS = 512 * 1024

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
  CREATE TABLE search_tag (tag TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`

/** Finds entries of a database that has the log's schema. One that cannot be read says nothing. */
export function createSearchIndex(db: DatabaseSync, textOf: TextOf) {
  const inTransaction = transactionsOf(db)
  const findableIn = forgiving(
    (body) => shortened(textOf(JSON.parse(body))),
    () => undefined,
  )
  let statements: ReturnType<typeof prepareAll> | undefined
  let indexed = 0
  return { step, search, tags, remake, crossingOut, merge }

  /** Takes the next few entries into the index, and says whether there may be more. */
  function step(): boolean {
    const { after, add, addTag, advance } = ready()
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
        const found = findableIn(body)
        if (!found) continue
        add.run(id, ...columnsOf(found, conversation))
        for (const tag of found.tags) addTag.run(tag)
      }
      advance.run(last)
    })
    indexed = last
    return rows.length === STEP_ENTRIES || letters > STEP_LETTERS
  }

  /** What takes entries out of the index, within the transaction that removes them: all that they say has to be told again. */
  function crossingOut(rows: Row[]): () => void {
    const { take, dropTag } = ready()
    const known = rows.filter(([id]) => id <= indexed)
    const entries = known.map(([id, number, body]) => ({ id, number, found: findableIn(body) }))
    return () => {
      for (const { id, number, found } of entries) if (found) take.run(id, ...columnsOf(found, number))
      for (const tag of new Set(entries.flatMap(({ found }) => found?.tags ?? [])))
        dropTag.run(tag, matchOf([], [[placeOfTag(tag)]]))
    }
  }

  /**
   * Removed texts are only crossed out until all of the index was merged into one: then nothing tells of them any
   * longer. Does a few pages of that and says whether there is more to do.
   */
  function merge(begin: boolean): boolean {
    const { mergePages, changes } = ready()
    const before = changesIn(changes)
    unsynced(() => mergePages.run(begin ? -MERGE_PAGES : MERGE_PAGES))
    // SQLite documents that one change is its own note that nothing was merged.
    return changesIn(changes) - before > 1
  }

  /** Messages of a moment ago are found too, unless there are many. */
  function search(wanted: RowsWanted): RowsFound {
    const { query, similar, since, until, tags, limit, most, goesOn } = wanted
    const indexing = goesOn ? false : step()
    const words = wordsOf(query, similar)
    const among = amongOf(wanted)
    const asked = words.length > 0 || tags.length > 0 || since > 0 || wanted.among !== undefined
    const hits: FoundRow[] = []
    let [looked, letters, last] = [0, 0, wanted.before]
    for (const [id, name, body, at] of asked ? candidates(words, among, wanted) : []) {
      if (looked === most || letters > PIECE_LETTERS) return { hits, next: last, looked, indexing }
      looked++
      letters += body.length
      const found = at < since || at >= until ? undefined : findableIn(body)
      if (found && (among?.includes(name) ?? true) && holdsAll(found.text, words) && hasTags(found.tags, tags)) {
        if (hits.length === limit) return { hits, isEnough: true, looked, indexing }
        hits.push([id, name, snippetIn(found, words), found.tags, at])
      }
      last = id
    }
    return { hits, looked, indexing }
  }

  /** Newest first: those with the letters of the words and the tags, or simply all where there is nothing to look up. */
  function candidates(words: Word[], among: string[] | undefined, wanted: RowsWanted) {
    const { before, since, until, tags, most: lookedInto } = wanted
    const { matching, all, allOf, numberOf } = ready()
    const most = lookedInto + 1
    // The words are looked up between bounds that are integers, and a number of JavaScript is none to them: all that is
    // newer would be walked through first.
    const newest = Math.min(before, indexed + 1)
    const end = BigInt(until === Infinity ? newest : firstAt(until, newest))
    const start = BigInt(since > 0 ? firstAt(since, newest) : 0)
    const terms = termsOf(words, wanted.similar)
    const numbers = among?.flatMap((name) => (numberOf.get(name) as unknown as [number]) ?? [])
    if (numbers?.length === 0) return []
    const places = [...(numbers ? [numbers.map(placeOf)] : []), ...tags.map((group) => group.map(placeOfTag))]
    const [only, ...others] = numbers ?? []
    const rows =
      terms.length + tags.length + others.length > 0
        ? matching.iterate(matchOf(terms, places), end, start, most)
        : only === undefined
          ? all.iterate(end, start, most)
          : allOf.iterate(only, end, start, most)
    return rows as Iterable<unknown> as Iterable<[id: number, conversation: string, body: string, at: number]>
  }

  /** The first id with that time or a later one, or `end`. Halves what lies before that, as ids grow when time does. */
  function firstAt(time: number, end: number): number {
    let [from, to] = [0, end]
    while (from < to) {
      const place = Math.floor((from + to) / 2)
      const [id, at] = (ready().next.get(place) ?? [to, time]) as unknown as [id: number, at: number]
      if (id < to && at < time) from = id + 1
      else to = place
    }
    return from
  }

  function tags(beginning: string, limit: number): string[] {
    const rows = ready().tagsFrom.all(beginning, beginning, limit) as unknown as [string][]
    return rows.map(([tag]) => tag)
  }

  /** The statements are made when they are first needed, so that opening a log costs nothing. */
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
    const gone = ['search_index', 'entry_text', 'search_tag'].map((table) => `DROP TABLE IF EXISTS ${table};`)
    unsynced(() => db.exec(gone.join('') + SCHEMA))
  }

  /** The transaction does not wait for the disk: what it loses in a power cut is made again. */
  function unsynced(write: () => void) {
    try {
      db.exec('PRAGMA synchronous = NORMAL')
      inTransaction(write)
    } finally {
      db.exec('PRAGMA synchronous = FULL')
    }
  }
}

function prepareAll(db: DatabaseSync) {
  const named = 'SELECT id, name, body, at FROM entry CROSS JOIN conversation ON number = entry.conversation'
  return {
    after: prepare(
      `SELECT id, conversation, body FROM entry CROSS JOIN conversation ON number = entry.conversation
       WHERE id > ? ORDER BY id LIMIT ?`,
    ),
    take: prepare("INSERT INTO entry_text (entry_text, rowid, text, place) VALUES ('delete', ?, ?, ?)"),
    mergePages: prepare("INSERT INTO entry_text (entry_text, rank) VALUES ('merge', ?)"),
    changes: prepare('SELECT total_changes()'),
    add: prepare('INSERT INTO entry_text (rowid, text, place) VALUES (?, ?, ?)'),
    // A tag stays where another entry has it.
    dropTag: prepare('DELETE FROM search_tag WHERE tag = ? AND NOT EXISTS (SELECT 1 FROM entry_text(?))'),
    addTag: prepare('INSERT OR IGNORE INTO search_tag VALUES (?)'),
    advance: prepare('UPDATE search_index SET indexed = ?'),
    next: prepare('SELECT id, at FROM entry WHERE id >= ? ORDER BY id LIMIT 1'),
    numberOf: prepare('SELECT number FROM conversation WHERE name = ?'),
    matching: prepare(
      `SELECT id, name, body, at FROM entry_text CROSS JOIN entry ON id = entry_text.rowid
       CROSS JOIN conversation ON number = entry.conversation
       WHERE entry_text MATCH ? AND entry_text.rowid < ? AND entry_text.rowid >= ? ORDER BY entry_text.rowid DESC LIMIT ?`,
    ),
    all: prepare(`${named} WHERE id < ? AND id >= ? ORDER BY id DESC LIMIT ?`),
    allOf: prepare(`${named} WHERE entry.conversation = ? AND id < ? AND id >= ? ORDER BY id DESC LIMIT ?`),
    // Its length is of the beginning: what comes after it in the order of texts may begin otherwise.
    tagsFrom: prepare('SELECT tag FROM search_tag WHERE tag >= ?1 AND substr(tag, 1, length(?2)) = ?2 LIMIT ?3'),
  }

  function prepare(sql: string) {
    return prepareRows(db, sql)
  }
}

/** A very long text is cut, here and so everywhere. */
function shortened(found: Findable | undefined) {
  if (!found) return undefined
  const { text, tags = [], shown } = found
  return { text: text.slice(0, LONGEST_TEXT), tags, shown }
}

/** What the index holds of an entry beside its id. */
function columnsOf({ text, tags }: { text: string; tags: string[] }, conversation: number): [string, string] {
  return [fold(text), [placeOf(conversation), ...tags.map(placeOfTag)].join('')]
}

/** The conversations in which is searched, where it is not all of them. */
function amongOf({ conversation, among }: RowsWanted): string[] | undefined {
  if (conversation === undefined) return among
  return among?.includes(conversation) === false ? [] : [conversation]
}

/** What is looked up of the words: enough of it, as every hit is checked. */
function termsOf(words: Word[], similar: boolean): string[][][] {
  const telling = words.map(({ trigrams }) => trigrams).filter((sets) => sets.length > 0)
  if (similar) return telling.slice(0, MOST_SIMILAR)
  let left = MOST_TRIGRAMS
  return telling.flatMap((sets) => {
    const terms = (sets[0] ?? []).slice(0, left)
    left -= terms.length
    return terms.length > 0 ? [[terms]] : []
  })
}

function changesIn(statement: StatementSync): number {
  return (statement.get() as unknown as [number])[0]
}

function hasTags(own: string[], groups: string[][]): boolean {
  return groups.every((group) => group.some((tag) => own.includes(tag)))
}

function snippetIn({ text, shown }: Findable, words: Word[]): Snippet {
  const read = shown?.().slice(0, LONGEST_TEXT) ?? text
  return snippetOf(holdsAll(read, words) ? read : text, words)
}
