import { callInWords } from '../../chat/approvals/call-in-words.ts'
import { inWords } from '../../protocol/entries/attachment.ts'
import type { Question } from '../../protocol/entries/entry.ts'

/** A question for clients that know text alone. */
export function questionInWords({ text, attachments, approval }: Pick<Question, 'text' | 'attachments' | 'approval'>) {
  return approval ? callInWords(approval) : inWords(text, attachments)
}
