import type { Approval, Body, FileChange } from '../../protocol/entries/entry.ts'
import { fits } from '../../protocol/text/size.ts'
import { fitsEntry } from './text-size.ts'

const MOST_CHANGES = 100
/** A UTF-16 unit takes at most three bytes. */
const BYTES = 3

/** The call that is asked about, whole where an entry holds it; else the beginnings of its arguments and changes. */
export function cutCall(body: Body, limitBytes: number): Body {
  if (fitsEntry(body, limitBytes)) return body
  switch (body.kind) {
    case 'question':
      return body.approval ? { ...body, approval: cut(body.approval, limitBytes) } : body
    case 'permitted_call':
    case 'refused_call':
      return { ...body, approval: cut(body.approval, limitBytes) }
    default:
      return body
  }
}

function cut(approval: Approval, limitBytes: number): Approval {
  const { input, title, changes } = approval
  // The rest of the entry is for what else is said of it.
  const each = Math.floor(limitBytes / 8)
  return {
    ...approval,
    input: fits(input, each) ? input : JSON.stringify({ beginning: beginningOf(input, each / 2) }),
    ...(title !== undefined && { title: beginningOf(title, each / 4) }),
    ...(changes && { changes: cutChanges(changes, each) }),
    cut: true,
  }
}

function cutChanges(changes: FileChange[], bytes: number): FileChange[] {
  const shown = changes.slice(0, MOST_CHANGES)
  const each = bytes / shown.length
  return shown.map(({ path, old_text, new_text }) => ({
    path: beginningOf(path, each),
    ...(old_text !== undefined && { old_text: beginningOf(old_text, each) }),
    new_text: beginningOf(new_text, each),
  }))
}

function beginningOf(text: string, bytes: number): string {
  if (fits(text, bytes)) return text
  const length = Math.floor(bytes / BYTES)
  return `${text.slice(0, length).toWellFormed()}\n… and ${text.length - length} more characters`
}
