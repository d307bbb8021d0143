import type { Approval, Body, FileChange, Question } from '../../protocol/entries/entry.ts'
import { maskedText } from '../../protocol/secrets/masking.ts'

/** Calls and their results as they may be stored. What people write themselves is theirs, also a secret. */
export function withoutSecrets(body: Body): Body {
  switch (body.kind) {
    case 'tool_call': {
      const { tool_args, title, masked: before } = body
      const args = maskedText(tool_args)
      const shown = titleWithout(title)
      return { ...body, tool_args: args.text, ...shown.title, ...counted(before, args.count + shown.count) }
    }
    case 'tool_result': {
      const { result, changes, masked: before } = body
      const words = maskedText(result)
      const shown = changesWithout(changes)
      return { ...body, result: words.text, ...shown.changes, ...counted(before, words.count + shown.count) }
    }
    case 'question':
      return body.approval ? asked(body, body.approval) : body
    case 'permitted_call':
    case 'refused_call':
      return { ...body, approval: approvalWithout(body.approval) }
    case 'earlier':
      return { ...body, text: maskedText(body.text).text }
    case 'error':
      return { ...body, error: maskedText(body.error).text }
    default:
      return body
  }
}

/** Its text says the same for those who know no approvals. */
function asked(question: Question, approval: Approval): Question {
  return { ...question, text: maskedText(question.text).text, approval: approvalWithout(approval) }
}

function approvalWithout(approval: Approval): Approval {
  const { input, title, changes, masked: before } = approval
  const args = maskedText(input)
  const shown = titleWithout(title)
  const files = changesWithout(changes)
  const count = args.count + shown.count + files.count
  return { ...approval, input: args.text, ...shown.title, ...files.changes, ...counted(before, count) }
}

function titleWithout(title: string | undefined) {
  if (title === undefined) return { count: 0 }
  const { text, count } = maskedText(title)
  return { title: { title: text }, count }
}

function changesWithout(changes: FileChange[] | undefined) {
  if (changes === undefined) return { count: 0 }
  const all = changes.map(({ path, old_text, new_text }) => {
    const before = old_text === undefined ? undefined : maskedText(old_text)
    const after = maskedText(new_text)
    const change: FileChange = { path, ...(before && { old_text: before.text }), new_text: after.text }
    return { change, count: (before?.count ?? 0) + after.count }
  })
  return {
    changes: { changes: all.map(({ change }) => change) },
    count: all.reduce((sum, { count }) => sum + count, 0),
  }
}

/** The count, with what was masked before it came here. */
function counted(before = 0, count: number) {
  return before + count > 0 ? { masked: before + count } : {}
}
