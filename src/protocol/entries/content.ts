import * as z from 'zod/mini'
import { ParleyError } from '../errors.ts'
import { parse } from '../parse.ts'
import { jsonIn } from '../text/json.ts'
import { isJson } from '../text/mime.ts'
import { Text } from '../text/text.ts'
import type { Message } from './entry.ts'

type Said = Pick<Message, 'text' | 'mime' | 'structured'>

const Content = z.object({ content: Text })
/** JSON is rewritten by recursion, so that its depth is limited. */
const DEEPEST = 100

/** Content with a type, as it is kept: a text as it is, every other JSON value as its JSON text. */
export function saidIn({ mime, content }: { mime: string; content: unknown }): Said {
  if (typeof content === 'string' || content === undefined) return { mime, text: parse(Content, { content }).content }
  if (!isJson(mime)) throw wrong('must be text where "mime" is not a JSON type, as application/json is')
  if (isDeeper(content, DEEPEST)) throw wrong(`is nested deeper than ${DEEPEST} levels`)
  return { mime, text: parse(Content, { content: JSON.stringify(content) }).content, structured: true }
}

/** The same as it was said. */
export function contentOf({ text, structured }: Said): unknown {
  const value = structured ? jsonIn(text) : undefined
  return value === undefined ? text : value
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}

function wrong(problem: string): ParleyError {
  return new ParleyError('invalid', { problem: `"content" ${problem}` })
}
