import { isUtf8 } from 'node:buffer'
import type { FileStore } from '../../files/file-store.ts'
import {
  ATTACHMENT_LIMIT_BYTES,
  type Attachment,
  FileMime,
  MOST_ATTACHMENTS,
  plainName,
} from '../../protocol/entries/attachment.ts'
import { maskedText } from '../../protocol/secrets/masking.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import type { CallResult } from '../../protocol/tools/gateway.ts'
import { keptFile } from './kept-file.ts'
import { type KeptWhole, keepWhole } from './whole-result.ts'

/** What an entry holds of a result; the rest is in its files. */
export const RESULT_LIMIT_BYTES = 16 * 1024

interface KeptResult extends KeptWhole {
  result: string
  masked?: number
  attachments?: Attachment[]
}

type Files = Pick<FileStore, 'save' | 'attach'>

/** The stored result of a tool: its words without secrets, and as files what is no text or too long. */
export async function keepResult(
  given: CallResult,
  files: Files,
  { isWhole }: { isWhole: boolean },
): Promise<KeptResult> {
  const { words, blobs } = read(given)
  const whole = words.map(({ text }) => text).join('\n')
  const bytes = Buffer.from(whole)
  const short = bytes.length <= RESULT_LIMIT_BYTES
  const contents = blobs.map(contentOf)
  const wanted = [...(short ? [] : [textFile(whole, bytes)]), ...contents]
  const { attachments, lost } = await keep(wanted, files)
  const count = [...words, ...contents].reduce((sum, { count }) => sum + count, 0)
  const notes = lost === 0 ? [] : [`[${lost === 1 ? '1 file is' : `${lost} files are`} not kept]`]
  const result = [short ? whole : beginning(bytes, RESULT_LIMIT_BYTES - NOTE_BYTES), ...notes]
    .filter(Boolean)
    .join('\n')
  return {
    result,
    ...(isWhole && (await keepWhole(given, result, files))),
    ...(count > 0 && { masked: count }),
    ...(attachments.length > 0 && { attachments }),
  }
}

const NOTE_BYTES = 64

interface Blob {
  data: string
  mime: string
  name: string
}

interface Words {
  text: string
  /** The number of secrets that were taken out. */
  count: number
}

interface Content {
  bytes: Buffer
  mime: string
  name: string
}

/** A result of MCP by its blocks; whatever else it is, its JSON. */
function read(given: unknown): { words: Words[]; blobs: Blob[] } {
  const { structuredContent } = fieldsOf(given)
  const content = blocksIn(fieldsOf(given))
  if (!content) return { words: [typeof given === 'string' ? maskedText(given) : json(given)], blobs: [] }
  const words: Words[] = []
  const blobs: Blob[] = []
  for (const block of content.map(fieldsOf)) {
    const held = fieldsOf(block.resource)
    const text = block.text ?? held.text
    const data = block.data ?? block.blob ?? held.blob
    const mime = wordIn(block.mimeType ?? held.mimeType)
    if (typeof text === 'string') words.push(maskedText(text))
    else if (typeof data === 'string') blobs.push({ data, mime, name: nameOf(block, held, blobs.length) })
    else words.push(json(block))
  }
  const structured = structuredContent === undefined ? undefined : json(structuredContent)
  if (structured && !words.some((said) => isSame(said, structured))) words.push(structured)
  return { words, blobs }
}

/** The blocks of a tool's result, of what was read, or of a prompt. */
function blocksIn({ content, contents, messages }: Fields): unknown[] | undefined {
  if (Array.isArray(messages)) return messages.map((message) => fieldsOf(message).content)
  return [content, contents].find((one) => Array.isArray(one)) as unknown[] | undefined
}

/** Servers say in a text what they say in fields, for clients that know only texts. */
function isSame({ text }: Words, structured: Words): boolean {
  return text === structured.text || json(jsonIn(text)).text === structured.text
}

function nameOf(block: Fields, held: Fields, n: number): string {
  const uri = wordIn(held.uri ?? block.uri)
  return plainName(uri === '' ? `${wordIn(block.type) || 'file'}-${n + 1}` : uri.slice(-NAME_LENGTH))
}

const NAME_LENGTH = 100

/** Text is masked as it is everywhere. */
function contentOf({ data, mime, name }: Blob): Content & Pick<Words, 'count'> {
  const bytes = Buffer.from(data, 'base64')
  const { data: known = 'application/octet-stream' } = FileMime.safeParse(mime)
  const named = name.includes('.') ? name : `${name}.${known.replace(/^.*\/|\+.*$/g, '')}`
  if (!isUtf8(bytes)) return { bytes, mime: known, name: named, count: 0 }
  const { text, count } = maskedText(bytes.toString())
  return { bytes: count > 0 ? Buffer.from(text) : bytes, mime: known, name: named, count }
}

function textFile(whole: string, bytes: Buffer): Content {
  const isJson = jsonIn(whole) !== undefined
  const fitting = bytes.subarray(0, lastCharacterEnd(bytes, ATTACHMENT_LIMIT_BYTES))
  const [mime, name] = isJson ? ['application/json', 'result.json'] : ['text/plain', 'result.txt']
  return { bytes: fitting, mime, name }
}

async function keep(contents: Content[], files: Files): Promise<{ attachments: Attachment[]; lost: number }> {
  const attachments: Attachment[] = []
  for (const { bytes, mime, name } of contents.slice(0, MOST_ATTACHMENTS)) {
    const kept = await keptFile(files, bytes, { mime, name })
    if (kept) attachments.push(kept)
  }
  return { attachments, lost: contents.length - attachments.length }
}

function beginning(bytes: Buffer, limit: number): string {
  return `${bytes.subarray(0, lastCharacterEnd(bytes, limit))}…`
}

/** The greatest end within the limit that cuts no character. */
function lastCharacterEnd(bytes: Buffer, limit: number): number {
  let end = Math.min(bytes.length, limit)
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}

type Fields = Record<string, unknown>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function wordIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function json(value: unknown): Words {
  return maskedText(JSON.stringify(shallow(value, 0)) ?? '')
}

/** No stack is as deep as what a server can send. */
const DEEPEST = 200

function shallow(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST) return '[nested too deeply]'
  if (Array.isArray(value)) return value.map((item) => shallow(item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shallow(item, depth + 1)]))
}
