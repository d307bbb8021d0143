import { findConversation } from '../chat/reading/find-conversation.ts'
import type { FileStore } from '../files/file-store.ts'
import { BEFORE_ALL, type Entry } from '../protocol/entries/entry.ts'
import type { ConversationState } from '../protocol/entries/fold.ts'
import { withRevisions } from '../protocol/entries/revision.ts'
import type { ExportFormat } from '../protocol/frames/export.ts'
import { decidedCalls } from './decided-calls.ts'
import { listedConversations } from './listed-conversations.ts'
import type { Piece } from './pieces.ts'
import { createRendering } from './rendering.ts'
import type { Source } from './source.ts'

export type { Source } from './source.ts'

interface ExportWanted {
  source: Source
  /** A conversation, or the title that only one of them has. */
  name: string
  format: ExportFormat
}

export interface Export {
  fileName: string
  contentType: string
  /** The file, read while it is written: nobody ever holds more of it than a page. */
  chunks: AsyncIterable<string>
}

/** Entries that are read at once; fewer where they are long, because whoever reads them holds up everybody else. */
const FIRST_PAGE = 10
const MOST_ON_PAGE = 100
const LETTERS_ON_PAGE = 1_000_000

interface Format {
  contentType: string
  /** Whether every entry is exported as it stands in the log, and not as it is to be read. */
  asLogged?: boolean
}

const FORMATS: Record<ExportFormat, Format> = {
  md: { contentType: 'text/markdown' },
  json: { contentType: 'application/json', asLogged: true },
  html: { contentType: 'text/html' },
}

interface ExportsParts {
  files: Pick<FileStore, 'base64'>
  now?: () => number
}

/** Conversations as files, as they are at the moment of asking. */
export function createExports({ files, now = Date.now }: ExportsParts) {
  const rendering = createRendering()
  return { open, decidedCalls: decidedLines, conversations }

  /** Throws when there is no such conversation for this caller. */
  async function open({ source, name, format }: ExportWanted): Promise<Export> {
    const conversation = await findConversation(source, name)
    return {
      fileName: `${fileNameOf(conversation.title)}.${format}`,
      contentType: `${FORMATS[format].contentType}; charset=utf-8`,
      chunks: write(source, conversation, format),
    }
  }

  async function* write(source: Source, conversation: ConversationState, format: ExportFormat) {
    const { id, title, last, revised } = conversation
    const revisions = revised && !FORMATS[format].asLogged ? await revisionsIn(source, conversation) : []
    const rendered = rendering.begin(format)
    try {
      yield* filled(rendered.begin({ id, title, exportedAt: now() }))
      for await (const entries of pagesOf(source, id, last))
        yield* filled(rendered.entries(withRevisions(entries, revisions), presentIn(entries)))
      yield* filled(rendered.end())
    } finally {
      await rendered.close()
    }
  }

  function presentIn(entries: Entry[]): string[] {
    const hashes = entries
      .flatMap(({ body }) => ('attachments' in body && body.attachments) || [])
      .map(({ hash }) => hash)
    return hashes.filter((hash) => files.base64(hash) !== undefined)
  }

  /** Pieces with the files in their places. */
  async function* filled(pieces: AsyncIterable<Piece>): AsyncGenerator<string> {
    for await (const piece of pieces) {
      if (typeof piece === 'string') yield piece
      else yield* files.base64(piece.file) ?? []
    }
  }
}

function decidedLines(source: Source): AsyncGenerator<string> {
  return lines(decidedCalls(source))
}

function conversations(source: Source): AsyncGenerator<string> {
  return lines(listedConversations(source))
}

async function* lines(all: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const one of all) yield `${JSON.stringify(one)}\n`
}

async function* pagesOf(source: Source, id: string, last: string): AsyncGenerator<Entry[]> {
  let limit = FIRST_PAGE
  for (let after = BEFORE_ALL; after < last; ) {
    const { entries } = await source.logged(id, { after, limit })
    after = entries.at(-1)?.id ?? last
    const long = lettersIn(entries.map(({ body }) => body)) / Math.max(1, entries.length)
    limit = Math.max(1, Math.min(MOST_ON_PAGE, 10 * limit, Math.floor(LETTERS_ON_PAGE / Math.max(1, long))))
    // Entries that come meanwhile are not waited for, or a busy conversation would never end.
    yield entries.filter((entry) => entry.id <= last)
  }
}

/** They come after what they are about, which is written by then. */
async function revisionsIn(source: Source, { id, last }: ConversationState): Promise<Entry[]> {
  const revisions = new Map<string, Entry>()
  for await (const entries of pagesOf(source, id, last))
    for (const entry of entries) if (entry.body.kind === 'revision') revisions.set(entry.body.message, entry)
  return [...revisions.values()]
}

function lettersIn(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let letters = 0
  for (const part of Object.values(value)) letters += lettersIn(part)
  return letters
}

/** A name that every file system takes. */
function fileNameOf(title: string): string {
  const name = title
    .replace(/[\\/:*?"<>|\p{C}]+/gu, '-')
    .slice(0, 80)
    .replace(/^[.\s-]+|[.\s-]+$/g, '')
  return name.toWellFormed() || 'conversation'
}
