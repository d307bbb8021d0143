import type { TurnEnd } from '../state/rows/row.ts'
import { span } from './time.ts'

const ENDED = {
  ended: 'The agent ended its turn',
  cancelled: 'The turn was stopped',
  refused: 'The agent refused to go on',
  failed: 'The turn failed',
}
const count = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
/** Turns cost cents, and some of them less. */
const DEAR = 0.1

/** How a turn ended and what it took, as far as that is known. */
export function turnWords({ outcome = 'ended', duration_ms, tokens, cost }: TurnEnd): string {
  const took = duration_ms === undefined ? undefined : span(duration_ms)
  const read = tokens && `${amountOf(tokens.input)} tokens in, ${amountOf(tokens.output)} out`
  return [ENDED[outcome], took, read, cost && price(cost)].filter(Boolean).join(' · ')
}

export function amountOf(tokens: number): string {
  return count.format(tokens)
}

export function price({ amount, currency }: NonNullable<TurnEnd['cost']>): string {
  if (!/^[a-z]{3}$/i.test(currency)) return `${amount} ${currency}`
  const maximumFractionDigits = amount < DEAR ? 4 : 2
  return new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits }).format(amount)
}
