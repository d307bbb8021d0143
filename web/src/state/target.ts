import type { Target } from '../../../src/protocol/desk.ts'
import type { OpenQuestion } from '../../../src/protocol/fold.ts'
import type { Pending } from './rows.ts'

export const MESSAGE: Target = { kind: 'message' }

/** What is typed while nobody chose a target answers what is asked, and decides nothing. */
export function naturalTarget(question: OpenQuestion | undefined): Target {
  return question && !question.approval ? { kind: 'reply', question: question.id } : MESSAGE
}

/** Where it was sent. */
export function targetOf({ question, verdict }: Pick<Pending, 'question' | 'verdict'>): Target {
  return question ? { kind: verdict ? 'denial' : 'reply', question } : MESSAGE
}
