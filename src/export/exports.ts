import { findConversation } from '../chat/find-conversation.ts'
import { BEFORE_ALL, type Entry } from '../protocol/entry.ts'
import type { ExportFormat } from '../protocol/export.ts'
import type { Conversation } from '../protocol/fold.ts'
import { withRevisions } from '../protocol/revision.ts'
import { decidedCalls } from './decided-calls.ts'
import type { Source } from './source.ts'
import type { Contents, Piece, Writer } from './writer.ts'

export type { Source } from './source.ts'

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

interface Format {
  contentType: string
  /** Has every entry as it stands in the log, and not as it is to be read. */
  asLogged?: boolean
  load(): Promise<(contents: Contents) => Writer>
}

const WRITERS: Record<ExportFormat, Format> = {
  md: { contentType: 'text/markdown', load: async () => (await import('./markdown.ts')).markdownWriter },
  json: {
    contentType: 'application/json',
    asLogged: true,
    load: async () => (await import('./json.ts')).jsonWriter,
  },
  html: { contentType: 'text/html', load: async () => (await import('./html.ts')).htmlWriter },
}

export interface ExportsParts {
  files: Contents
  now?: () => number
}

export type Exports = ReturnType<typeof createExports>

/** Conversations as files, as they are at the moment of asking. */
export function createExports({ files, now = Date.now }: ExportsParts) {
  return { open, decidedCalls: decidedLines }

  /** Throws when there is no such conversation for this caller. */
  async function open({ source, name, format }: ExportWanted): Promise<Export> {
    const conversation = await findConversation(source, name)
    const { contentType, asLogged, load } = WRITERS[format]
    return {
      fileName: `${fileNameOf(conversation.title)}.${format}`,
      contentType: `${contentType}; charset=utf-8`,
      chunks: write(source, conversation, (await load())(files), asLogged),
    }
  }

  async function* write(source: Source, conversation: Conversation, writer: Writer, asLogged = false) {
    const { id, title, last, revised } = conversation
    const revisions = revised && !asLogged ? await revisionsIn(source, conversation) : []
    yield writer.begin({ id, title, exportedAt: now() })
    for await (const entries of pagesOf(source, id, last))
      yield* joined(piecesOf(withRevisions(entries, revisions), writer))
    yield* joined(writer.end())
  }
}

async function* decidedLines(source: Source) {
  for await (const call of decidedCalls(source)) yield `${JSON.stringify(call)}\n`
}

async function* pagesOf(source: Source, id: string, last: string): AsyncGenerator<Entry[]> {
  for (let after = BEFORE_ALL; after < last; ) {
    const { entries } = await source.logged(id, { after, limit: PAGE })
    after = entries.at(-1)?.id ?? last
    // What is said meanwhile is not waited for, or a busy conversation would never end.
    yield entries.filter((entry) => entry.id <= last)
  }
}

/** They come after what they are about, which is written by then. */
async function revisionsIn(source: Source, { id, last }: Conversation): Promise<Entry[]> {
  const revisions = new Map<string, Entry>()
  for await (const entries of pagesOf(source, id, last))
    for (const entry of entries) if (entry.body.kind === 'revision') revisions.set(entry.body.message, entry)
  return [...revisions.values()]
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

/** What every file system takes. */
function fileNameOf(title: string): string {
  const name = title
    .replace(/[\\/:*?"<>|\p{C}]+/gu, '-')
    .slice(0, 80)
    .replace(/^[.\s-]+|[.\s-]+$/g, '')
  return name.toWellFormed() || 'conversation'
}
