import type { Body } from '../protocol/entry.ts'
import { isBytes } from '../protocol/mime.ts'

/**
 * What can be found of an entry: everything in it that a person or an agent wrote, and the names of its files. They come
 * first, because of a very long text only the beginning is found. The log's thread loads this file, and gives it whatever
 * JSON is stored; what it throws over cannot be found.
 */
export function textOf(body: unknown): string | undefined {
  const text = [...namesIn(body as Body), ...partsOf(body as Body)].filter(isText).join('\n')
  return text === '' ? undefined : text
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
    case 'question':
      return [
        body.text,
        ...(body.options ?? []).flatMap(({ label, description }) => [label, description]),
        body.approval?.tool_name,
        body.approval?.input,
      ]
    case 'permitted_call':
      return [body.approval.tool_name, body.approval.input]
    case 'revocation':
      return [body.tool_name]
    case 'settlement':
      return [body.reply, body.reason]
    case 'title':
      return [body.title]
    case 'tool_call':
      return [body.tool_name, body.tool_args]
    case 'tool_result':
      return [body.tool_name, body.result]
    case 'thinking':
      return [body.reasoning]
    case 'progress':
      return [body.text]
    case 'error':
      return [body.error]
    case 'receipt':
    case 'turn':
    case 'unknown':
      return []
    default:
      // Something of a newer Parley, perhaps; an index without it is better than none.
      body satisfies never
      return []
  }
}
