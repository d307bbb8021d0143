import type { ClearText } from '../protocol/clear-text.ts'
import type { Approval, Body } from '../protocol/entry.ts'
import { withoutSecrets } from './without-secrets.ts'

/** What is stored of it, and what of a call is kept beside the log because it is masked there. */
export function parted(body: Body, newName: () => string): { body: Body; clear?: [name: string, text: ClearText] } {
  const shown = withoutSecrets(body)
  const clear = clearIn(body)
  if (!clear) return { body: shown }
  // Nobody but the hub says where it is.
  const { clear: _, ...stored } = shown as Body & { clear?: string }
  if (JSON.stringify(clear) === JSON.stringify(clearIn(shown))) return { body: stored as Body }
  const name = newName()
  return { body: { ...stored, clear: name } as Body, clear: [name, clear] }
}

function clearIn(body: Body): ClearText | undefined {
  switch (body.kind) {
    case 'tool_call':
      return { input: body.tool_args, title: body.title }
    case 'question':
      return body.approval && clearOf(body.approval)
    case 'permitted_call':
    case 'refused_call':
      return clearOf(body.approval)
    default:
      return undefined
  }
}

function clearOf({ input, title, changes }: Approval): ClearText {
  return { input, title, changes }
}
