import type { OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import type { Target } from '../../../../src/protocol/frames/preferences.ts'
import type { Pending } from '../rows/rows.ts'

export const MESSAGE: Target = { kind: 'message' }

/** Text without a chosen target answers what is asked, and decides nothing. */
export function naturalTarget(question: OpenQuestion | undefined): Target {
  return question && !question.approval ? { kind: 'reply', question: question.id } : MESSAGE
}

/** The target it was sent to. */
export function targetOf({ question, verdict, about }: Pick<Pending, 'question' | 'verdict' | 'about'>): Target {
  if (question) return { kind: verdict ? 'denial' : 'reply', question }
  return about ? { kind: 'message', answers: about } : MESSAGE
}

/** The question that it is for. */
export function questionIn(target: Target): string | undefined {
  return 'question' in target ? target.question : undefined
}

/** The person said so, so that it holds before anything is written, too. */
export function isChosen(target: Target | undefined): boolean {
  return target?.kind === 'denial' || target?.kind === 'change' || (target?.kind === 'message' && !!target.answers)
}
