import * as z from 'zod/mini'
import { EntryId } from '../../../src/protocol/entry.ts'
import type { OpenQuestion } from '../../../src/protocol/fold.ts'
import type { Pending } from './rows.ts'

/** Where words go: to the agent's next turn, as the reply to a question, or as the reason why a call is denied. */
export const Target = z.union([
  z.object({ kind: z.literal('message') }),
  z.object({ kind: z.enum(['reply', 'denial']), question: EntryId }),
])
export type Target = z.infer<typeof Target>

export const MESSAGE: Target = { kind: 'message' }

/** What is typed while nobody chose a target answers what is asked, and decides nothing. */
export function naturalTarget(question: OpenQuestion | undefined): Target {
  return question && !question.approval ? { kind: 'reply', question: question.id } : MESSAGE
}

/** Where it was sent. */
export function targetOf({ question, verdict }: Pick<Pending, 'question' | 'verdict'>): Target {
  return question ? { kind: verdict ? 'denial' : 'reply', question } : MESSAGE
}
