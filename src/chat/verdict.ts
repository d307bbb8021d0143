import { inWordsOf } from '../protocol/choice.ts'
import type { Settlement } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { OpenQuestion } from '../protocol/fold.ts'
import { jsonIn } from '../protocol/json.ts'

/** How a question ends, as far as the person decides it. */
export type Verdict = Pick<Settlement, 'outcome' | 'reply' | 'attachments' | 'choices' | 'input' | 'reason' | 'always'>

/** What clients that only know text offer for an approval. */
export const ALLOW = 'Allow'
export const DENY = 'Deny'

/** Words that name an option choose it. Of an approval only the very word allows: anything else is why not. */
export function answered(
  { approval, options }: OpenQuestion,
  reply: string,
  files: Pick<Settlement, 'attachments'> = {},
): Verdict {
  if (!approval) {
    const choice = options?.find(({ label }) => label === reply.trim())
    return { outcome: 'answered', reply, ...files, ...(choice && { choices: [choice.label] }) }
  }
  if (files.attachments) throw new ParleyError('verdict_only')
  if (reply.trim() === ALLOW) return { outcome: 'approved' }
  return reply.trim() === DENY ? { outcome: 'denied' } : { outcome: 'denied', reason: reply }
}

/** Options, and what was written beside them. */
export interface Choice {
  choices: string[]
  words?: string
}

export function chosen(
  { options = [], multi_select }: OpenQuestion,
  { choices, words }: Choice,
  files: Pick<Settlement, 'attachments'> = {},
): Verdict {
  const unknown = choices.find((choice) => !options.some(({ label }) => label === choice))
  if (unknown !== undefined) throw new ParleyError('unknown_choice', { choice: unknown })
  const inOrder = options.map(({ label }) => label).filter((label) => choices.includes(label))
  if (multi_select ? inOrder.length === 0 : inOrder.length !== 1) throw new ParleyError('one_choice')
  return { outcome: 'answered', reply: inWordsOf(inOrder, words), ...files, choices: inOrder }
}

/** `input` only where the person changed it. */
export function allowed({ approval }: OpenQuestion, input: string | undefined): Verdict {
  if (!approval) throw new ParleyError('no_verdict')
  if (input !== undefined && !isObject(input)) throw new ParleyError('bad_input')
  return { outcome: 'approved', ...(input !== undefined && { input }) }
}

export function denied({ approval }: OpenQuestion, reason: string | undefined): Verdict {
  if (!approval) throw new ParleyError('no_verdict')
  return { outcome: 'denied', ...(reason !== undefined && { reason }) }
}

function isObject(json: string): boolean {
  const value = jsonIn(json)
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
