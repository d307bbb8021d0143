import { BEFORE_ALL, type Entry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { ExportFormat } from '../protocol/export.ts'
import type { Conversation } from '../protocol/fold.ts'
import { allNearest } from '../protocol/nearest.ts'
import type { Contents, Piece, Writer } from './writer.ts'

/** Where conversations are read from: a running chat, or a log that nobody uses. */
export interface Source {
  /** The only one that whoever asks may see. */
  only?: string
  conversation(id: string): Promise<Conversation>
  /** Newest first. */
  conversations(page: { before?: string; limit: number }): Promise<Conversation[]>
  page(conversation: string, range: { after: string; limit: number }): Promise<{ entries: Entry[] }>
}

export interface ExportWanted {
  source: Source
  /** A conversation, or the title that only one of them has. */
  name: string
  format: ExportFormat
}

export interface Export {
  fileName: string
  contentType: string
  /** Read while it is written: nobody ever holds more of it than a page. */
  chunks: AsyncIterable<string>
}

const PAGE = 100
// Whoever else waits for this process has a turn after so long.
const BREATH_MS = 10
// More names are not compared with one that nobody knows.
const MOST_NAMES = 1000
const SUGGESTIONS = 3

const WRITERS: Record<ExportFormat, { contentType: string; load(): Promise<(contents: Contents) => Writer> }> = {
  md: { contentType: 'text/markdown', load: async () => (await import('./markdown.ts')).markdownWriter },
  json: { contentType: 'application/json', load: async () => (await import('./json.ts')).jsonWriter },
  html: { contentType: 'text/html', load: async () => (await import('./html.ts')).htmlWriter },
}

export interface ExportsParts {
  files: Contents
  now?: () => number
}

export type Exports = ReturnType<typeof createExports>

/** Conversations as files, as they are at the moment of asking. */
export function createExports({ files, now = Date.now }: ExportsParts) {
  return { open }

  /** Throws when there is no such conversation for this caller. */
  async function open({ source, name, format }: ExportWanted): Promise<Export> {
    const conversation = await find(source, name)
    const { contentType, load } = WRITERS[format]
    return {
      fileName: `${fileNameOf(conversation.title)}.${format}`,
      contentType: `${contentType}; charset=utf-8`,
      chunks: write(source, conversation, (await load())(files)),
    }
  }

  async function* write(source: Source, { id, title, last }: Conversation, writer: Writer): AsyncGenerator<string> {
    yield writer.begin({ id, title, exportedAt: now() })
    for (let after = BEFORE_ALL; after < last; ) {
      const { entries } = await source.page(id, { after, limit: PAGE })
      after = entries.at(-1)?.id ?? last
      // What is said meanwhile is not waited for, or a busy conversation would never end.
      const wanted = entries.filter((entry) => entry.id <= last)
      yield* joined(piecesOf(wanted, writer))
    }
    yield* joined(writer.end())
  }
}

async function find(source: Source, name: string): Promise<Conversation> {
  const { only } = source
  const known = only === undefined || only === name ? await source.conversation(name) : undefined
  if (known && known.last !== BEFORE_ALL) return known
  // Whoever is bound to one conversation learns of no other.
  const all = only === undefined ? await source.conversations({ limit: MOST_NAMES }) : []
  const called = all.filter(({ title }) => title === name)
  if (called.length === 1 && called[0]) return called[0]
  throw unknown(name, called.length > 1 ? called : all)
}

async function* piecesOf(entries: Entry[], writer: Writer): AsyncGenerator<Piece> {
  let started = performance.now()
  for (const entry of entries) {
    yield* writer.entry(entry)
    if (performance.now() - started < BREATH_MS) continue
    await new Promise(setImmediate)
    started = performance.now()
  }
}

/** Texts that come together are one, up to where there is more than that. */
async function* joined(pieces: Iterable<Piece> | AsyncIterable<Piece>): AsyncGenerator<string> {
  let text = ''
  for await (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    yield text
    text = ''
    yield* piece
  }
  yield text
}

function unknown(name: string, all: Conversation[]): ParleyError {
  const byName = new Map(all.flatMap(({ id, title }) => [[title, id] as const, [id, id] as const]))
  const near = all.every(({ title }) => title === name)
    ? all.map(({ id }) => id)
    : allNearest(name, [...byName.keys()]).map((word) => byName.get(word) ?? word)
  const [meant, others] = [quoted(near), quoted(all.map(({ id }) => id))]
  if (others === '') return new ParleyError('unknown_conversation', { conversation: name })
  const hint = meant === '' ? `the newest are ${others}` : `did you mean ${meant}?`
  return new ParleyError('unknown_name', { conversation: name, hint })
}

function quoted(names: string[]): string {
  return [...new Set(names)]
    .slice(0, SUGGESTIONS)
    .map((name) => `"${name}"`)
    .join(' or ')
}

/** What every file system takes. */
function fileNameOf(title: string): string {
  const name = title
    .replace(/[\\/:*?"<>|\p{C}]+/gu, '-')
    .slice(0, 80)
    .replace(/^[.\s-]+|[.\s-]+$/g, '')
  return name.toWellFormed() || 'conversation'
}
