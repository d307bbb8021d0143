import type { Approval, ApprovalOption, Settlement } from '../../protocol/entries/entry.ts'
import { inWordsOf } from '../../protocol/entries/exchange.ts'
import type { OpenQuestion } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { unmasked } from '../../protocol/secrets/masking.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { isShownInWords } from './call-in-words.ts'

/** How a question ends, as far as the person decides it. */
export type Verdict = Pick<
  Settlement,
  'outcome' | 'reply' | 'attachments' | 'choices' | 'input' | 'option' | 'reason' | 'always' | 'scope' | 'rule'
>

const ALLOW = 'Allow'
const DENY = 'Deny'

/** The options for clients that know text alone, which cannot allow a call that they are not shown whole. */
export function offeredFor(approval: Approval): string[] {
  const isWhole = isShownInWords(approval)
  const offered = approval.options?.filter((option) => inWords(option) && (isWhole || !allows(option)))
  return offered?.map(({ label }) => label) ?? (isWhole ? [ALLOW, DENY] : [DENY])
}

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
  const option = approval.options?.filter(inWords).find(({ label }) => label === reply.trim())
  const verdict = option ? taken(option) : reply.trim() === ALLOW ? allowed({ approval }, undefined) : undefined
  if (verdict?.outcome === 'approved' && !isShownInWords(approval)) throw new ParleyError('not_all_shown')
  if (verdict) return verdict
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

/**
 * `input` only where the person changed it. What may be allowed and for how long, an agent with options says itself.
 */
export function allowed({ approval }: Pick<OpenQuestion, 'approval'>, input: string | undefined): Verdict {
  if (!approval) throw new ParleyError('no_verdict')
  if (approval.options) throw new ParleyError('option_wanted')
  if (input !== undefined) mustBeMeant(input, approval)
  return { outcome: 'approved', ...(input !== undefined && { input }) }
}

export function denied({ approval }: OpenQuestion, reason: string | undefined): Verdict {
  if (!approval) throw new ParleyError('no_verdict')
  return { outcome: 'denied', ...(reason !== undefined && { reason }) }
}

/** One of the options that the agent offers for its call, by its id. */
export function optionTaken({ approval }: OpenQuestion, id: string): Verdict {
  if (!approval) throw new ParleyError('no_verdict')
  const option = approval.options?.find((option) => option.id === id)
  if (!option) throw new ParleyError('unknown_choice', { choice: id })
  return taken(option)
}

function taken(option: ApprovalOption): Verdict {
  return { outcome: allows(option) ? 'approved' : 'denied', option: option.id }
}

function allows({ kind }: ApprovalOption): boolean {
  return kind === 'allow_once' || kind === 'allow_always'
}

/** Words alone never allow anything for more than once. */
function inWords({ kind }: ApprovalOption): boolean {
  return kind !== 'allow_always'
}

/** An object, whose masks stand where they were shown: the person is told at once, not the agent later. */
function mustBeMeant(input: string, approval: Approval) {
  const value = jsonIn(input)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ParleyError('bad_input')
  if (approval.masked !== undefined) unmasked(value, jsonIn(approval.input))
}
