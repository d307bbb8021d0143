import type { Approval, Body } from '../../protocol/entries/entry.ts'
import type { ClearText } from '../../protocol/secrets/clear-text.ts'
import { cutCall } from './cut-call.ts'
import { withoutSecrets } from './without-secrets.ts'

/**
 * All arguments of a call whose entry names a file of them, where something is masked in that. Never stored in the log.
 */
export interface LongCall {
  whole_args?: string
}

/** The stored part of a call, and all of it, kept beside the log, where something is masked or cut in that. */
export function parted(
  body: Body,
  newName: () => string,
  limitBytes: number,
): { body: Body; clear?: [name: string, text: ClearText] } {
  const shown = cutCall(withoutSecrets(body), limitBytes)
  const clear = clearIn(body)
  if (!clear) return { body: shown }
  // Nobody but the hub says where it is.
  const { clear: _, whole_args: __, ...rest } = shown as Body & LongCall & { clear?: string }
  const stored = rest as Body
  if (JSON.stringify(clear) === JSON.stringify(clearIn(stored))) return { body: stored }
  const name = newName()
  return { body: { ...stored, clear: name } as Body, clear: [name, clear] }
}

function clearIn(body: Body): ClearText | undefined {
  switch (body.kind) {
    case 'tool_call':
      return { input: (body as LongCall).whole_args ?? body.tool_args, title: body.title }
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
