import { parentPort } from 'node:worker_threads'
import type { Entry } from '../protocol/entries/entry.ts'
import type { ExportFormat } from '../protocol/frames/export.ts'
import { htmlWriter } from './html.ts'
import { jsonWriter } from './json.ts'
import { markdownWriter } from './markdown.ts'
import { evened, type FileMark, type Piece } from './pieces.ts'
import type { About, Writer } from './writer.ts'

/** An order for one of the exports that are written here; each is answered with one piece or none. */
export type Order = { of: number } & ExportOrder
export type ExportOrder =
  | { begin: About; format: ExportFormat }
  /** `present` are the files that are there, of all that the entries name. */
  | { entries: Entry[]; present: string[] }
  | { end: true }
  /** Asks for more of what was ordered last. */
  | { more: true }
  | { close: true }

export interface Written {
  of: number
  piece: Piece | undefined
}

const WRITERS = { md: markdownWriter, json: jsonWriter, html: htmlWriter }

interface Writing {
  writer: Writer
  present: Set<string>
  pieces: Iterator<Piece>
}

const open = new Map<number, Writing>()

parentPort?.on('message', (order: Order) => {
  if ('close' in order) open.delete(order.of)
  else parentPort?.postMessage({ of: order.of, piece: obey(order) } satisfies Written)
})

function obey(order: Order): Piece | undefined {
  if ('format' in order) open.set(order.of, begun(order.format))
  const writing = open.get(order.of)
  if (!writing) throw new Error(`There is no export ${order.of}`)
  const { writer } = writing
  if ('entries' in order) for (const hash of order.present) writing.present.add(hash)
  if (!('more' in order)) writing.pieces = evened(ordered(order, writer))
  const { value, done } = writing.pieces.next()
  return done ? undefined : value
}

function begun(format: ExportFormat): Writing {
  const present = new Set<string>()
  const mark = (hash: string): FileMark | undefined => (present.has(hash) ? { file: hash } : undefined)
  return { writer: WRITERS[format]({ base64: mark }), present, pieces: evened([]) }
}

function* ordered(order: Order, writer: Writer) {
  if ('begin' in order) yield writer.begin(order.begin)
  if ('entries' in order) for (const entry of order.entries) yield* writer.entry(entry)
  if ('end' in order) yield* writer.end()
}
