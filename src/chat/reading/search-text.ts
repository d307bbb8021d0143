import type { Findable } from '../../log/search/search.ts'
import type { Body } from '../../protocol/entries/entry.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { isBytes, kindOf } from '../../protocol/text/mime.ts'
import { plainWords } from './plain-words.ts'
import { tagsOf } from './search-tags.ts'

/**
 * The searchable text of an entry: everything in it that a person or an agent wrote, and the names of its files. They
 * come first, because of a very long text only the beginning is found. The log's thread loads this file, and gives it
 * whatever JSON is stored; what it throws over cannot be found.
 */
export function textOf(body: unknown): Findable | undefined {
  const entry = body as Body
  const names = namesIn(entry)
  const text = [...names, ...partsOf(entry)].filter(isText).join('\n')
  if (text === '') return undefined
  return { text, tags: tagsOf(entry), shown: () => [...names, shownOf(entry, text)].join('\n') }
}

/** The text without marks of Markdown, and of a call what it is about. */
function shownOf(body: Body, text: string): string {
  switch (body.kind) {
    case 'message':
      return kindOf(body) === 'markdown' ? plainWords(body.text) : body.text
    case 'question':
      return body.approval ? callOf(body.approval.tool_name, body.approval.input) : plainWords(body.text)
    case 'permitted_call':
    case 'refused_call':
      return callOf(body.approval.tool_name, body.approval.input)
    case 'tool_call':
      return callOf(body.tool_name, body.tool_args)
    case 'settlement':
    case 'thinking':
    case 'progress':
      return plainWords(text)
    default:
      return text
  }
}

function callOf(name: string, json: string): string {
  const args = jsonIn(json)
  const values = typeof args === 'object' && args !== null ? Object.values(args) : [json]
  return [name, ...values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))].join(' ')
}

// A body that is not what its kind says is shown as unknown, and must not be found by what it is not.
function isText(part: unknown): boolean {
  return typeof part === 'string' && part !== ''
}

function namesIn(body: Body): string[] {
  return 'attachments' in body ? (body.attachments ?? []).map(({ name }) => name) : []
}

function partsOf(body: Body): (string | undefined)[] {
  switch (body.kind) {
    case 'message':
      return isBytes(body) ? [] : [body.text]
    case 'revision':
      return [body.text]
    case 'question':
      return [
        body.text,
        ...(body.options ?? []).flatMap(({ label, description }) => [label, description]),
        body.approval?.tool_name,
        body.approval?.input,
      ]
    case 'permitted_call':
      return [body.approval.tool_name, body.approval.input]
    case 'refused_call':
      return [body.approval.tool_name, body.approval.input, body.decided.reason]
    case 'revocation':
      return [body.tool_name]
    case 'settlement':
      return [body.reply, body.reason]
    case 'title':
      return body.overruled ? [] : [body.title]
    case 'tool_call':
      return [body.tool_name, body.tool_args]
    case 'tool_result':
      return [body.tool_name, body.result]
    case 'thinking':
      return [body.reasoning]
    case 'progress':
    case 'earlier':
      return [body.text]
    case 'error':
      return [body.error]
    case 'plan':
      return body.steps.map(({ text }) => text)
    case 'receipt':
    case 'turn':
    case 'wish':
    case 'unknown':
      return []
    default:
      // Something of a newer Parley, perhaps; an index without it is better than none.
      body satisfies never
      return []
  }
}
