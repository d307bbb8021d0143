import { isUtf8 } from 'node:buffer'
import type { FileStore } from '../../files/file-store.ts'
import type { ToolResultBody } from '../../protocol/entries/entry.ts'
import { maskedText } from '../../protocol/secrets/masking.ts'
import { isRecord } from '../../protocol/text/record.ts'
import type { CallResult } from '../../protocol/tools/gateway.ts'
import { keptFile } from './kept-file.ts'

/** The longest whole result that an entry holds; a longer one is in a file. */
const WHOLE_LIMIT_BYTES = 16 * 1024

export type KeptWhole = Pick<ToolResultBody, 'whole' | 'whole_file'>

/**
 * A result in the shape that its tool gave it, without secrets, for a caller that comes again. Nothing where `words`,
 * as the one text that they are, are all of it.
 */
export async function keepWhole(
  given: CallResult,
  words: string,
  files: Pick<FileStore, 'save' | 'attach'>,
): Promise<KeptWhole> {
  if (isOnlyText(given, words)) return {}
  const whole = JSON.stringify(withoutSecrets(given))
  const bytes = Buffer.from(whole)
  if (bytes.length <= WHOLE_LIMIT_BYTES) return { whole }
  const kept = await keptFile(files, bytes, { name: 'result.json', mime: 'application/json' })
  if (kept) return { whole_file: kept.hash }
  // An error, because tools say what their results look like.
  return { whole: JSON.stringify({ content: [{ type: 'text', text: `${NOT_KEPT}${words}` }], isError: true }) }
}

const NOT_KEPT = 'It was carried out, and of its result only this could be kept:\n'

/** The result that its caller would have got, from what was kept. Nothing where its file is gone. */
export async function recallWhole(
  { result: text, success, whole, whole_file }: ToolResultBody,
  files: Pick<FileStore, 'read'>,
): Promise<CallResult> {
  const kept = whole_file === undefined ? whole : String((await files.read(whole_file)) ?? '')
  if (kept) return JSON.parse(kept) as CallResult
  const isLost = kept === ''
  return {
    content: [{ type: 'text', text: isLost ? `${NOT_KEPT}${text}` : text }],
    ...((isLost || !success) && { isError: true }),
  }
}

function isOnlyText({ content, ...rest }: CallResult, words: string): boolean {
  const [block, ...others] = Array.isArray(content) ? (content as unknown[]) : []
  if (!isRecord(block) || others.length > 0) return false
  const isBare = Object.keys(block).length === 2 && Object.keys(rest).every((name) => name === 'isError')
  return isBare && block.type === 'text' && typeof block.text === 'string' && maskedText(block.text).text === words
}

const NOT_ALL = 'It was carried out, and its result had secrets, which are not kept:\n'

/**
 * Fields without their secrets may not be what the tool says of its results: then it is an error, which clients take.
 */
function withoutSecrets({ content, contents, messages, ...rest }: CallResult): unknown {
  const { structuredContent, ...more } = shownFields(rest)
  const shown = {
    ...more,
    ...(contents !== undefined && { contents: eachOf(contents, shownResource) }),
    ...(messages !== undefined && { messages: eachOf(messages, shownMessage) }),
  }
  const blocks = content === undefined ? [] : eachOf(content, shownBlock)
  const fields = structuredContent === undefined ? {} : { structuredContent }
  const isAll = JSON.stringify(structuredContent) === JSON.stringify(rest.structuredContent)
  if (isAll || rest.isError === true) return { ...shown, ...fields, ...(content !== undefined && { content: blocks }) }
  const told = { type: 'text', text: `${NOT_ALL}${JSON.stringify(structuredContent)}` }
  return { ...shown, isError: true, content: [told, ...(Array.isArray(blocks) ? blocks : [])] }
}

function eachOf(items: unknown, shown: (item: Record<string, unknown>) => unknown): unknown {
  return Array.isArray(items) ? items.map((item) => (isRecord(item) ? shown(item) : masked(item))) : masked(items)
}

function shownMessage({ content, ...rest }: Record<string, unknown>) {
  return { ...shownFields(rest), content: isRecord(content) ? shownBlock(content) : masked(content ?? null) }
}

/** Data is what it says, not how it is written down. */
function shownBlock(block: Record<string, unknown>): unknown {
  const { data, resource, ...rest } = block
  return {
    ...shownFields(rest),
    ...(data !== undefined && { data: shownData(data) }),
    ...(resource !== undefined && { resource: isRecord(resource) ? shownResource(resource) : masked(resource) }),
  }
}

function shownResource({ blob, ...rest }: Record<string, unknown>) {
  return { ...shownFields(rest), ...(blob !== undefined && { blob: shownData(blob) }) }
}

function shownData(data: unknown): unknown {
  if (typeof data !== 'string') return masked(data)
  const bytes = Buffer.from(data, 'base64')
  if (!isUtf8(bytes)) return data
  const { text, count } = maskedText(bytes.toString())
  return count > 0 ? Buffer.from(text).toString('base64') : data
}

function shownFields(fields: Record<string, unknown>): Record<string, unknown> {
  return masked(fields) as Record<string, unknown>
}

function masked(value: unknown): unknown {
  return JSON.parse(maskedText(JSON.stringify(value)).text)
}
