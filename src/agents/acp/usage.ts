import type { ContextUse } from '../../protocol/frames/driving.ts'
import type { Happening, TurnEnd } from '../driver.ts'
import type { KnownAgent } from './known-agents.ts'
import { count, type Loose, record, text } from './loose.ts'

type Tokens = NonNullable<TurnEnd['tokens']>
type Cost = NonNullable<TurnEnd['cost']>

/** The tokens that turns took and how full the context is, from wherever the agent tells it. */
export function createUsage(known: KnownAgent, happens: (happening: Happening) => void) {
  /** The usage of the whole session when the turn began. */
  let before: { tokens: Tokens; cost: number } = { tokens: { input: 0, output: 0 }, cost: 0 }
  let cost: Cost | undefined
  /** The counts that were told along the way. */
  let along: Tokens | undefined
  return { begin, update, end }

  function begin() {
    before = { ...before, cost: cost?.amount ?? 0 }
    along = undefined
  }

  function update(told: Loose) {
    const { amount, currency } = record(told.cost)
    if (count(amount) !== undefined) cost = { amount: Number(amount), currency: text(currency) ?? 'USD' }
    const context = contextIn(told)
    if (context) happens({ type: 'controls', context: { ...context, ...(cost && { cost }) } })
    const tokens = tokensIn(record(record(told._meta).usage))
    if (tokens) along = { input: (along?.input ?? 0) + tokens.input, output: (along?.output ?? 0) + tokens.output }
  }

  function end(result: Loose): Pick<TurnEnd, 'tokens' | 'cost'> {
    const meta = record(result._meta)
    const told =
      tokensIn(record(result.usage)) ?? tokensIn(record(record(meta.quota).token_count)) ?? tokensIn(record(meta.usage))
    const tokens = ofTurn(told) ?? along
    // The cost is the session's, as everywhere in the protocol.
    const spent = cost && cost.amount - before.cost
    return {
      ...(tokens && { tokens }),
      ...(cost && spent && spent > 0 && { cost: { ...cost, amount: Number(spent.toPrecision(12)) } }),
    }
  }

  function ofTurn(told: Tokens | undefined): Tokens | undefined {
    // These counts are of the last call of the model only, which says nothing of a turn.
    if (!told || known.tokens_of === 'call') return undefined
    if (known.tokens_of !== 'session') return told
    const { tokens } = before
    before = { ...before, tokens: told }
    return { input: Math.max(0, told.input - tokens.input), output: Math.max(0, told.output - tokens.output) }
  }
}

export type Usage = ReturnType<typeof createUsage>

function contextIn(told: Loose): ContextUse | undefined {
  const [used, size] = [count(told.used), count(told.size)]
  if (used === undefined && count(record(told.cost).amount) === undefined) return undefined
  return { ...(used !== undefined && { used }), ...(size !== undefined && size > 0 && { size }) }
}

function tokensIn(told: Loose): Tokens | undefined {
  const output = count(told.outputTokens) ?? count(told.output_tokens)
  const input = count(told.inputTokens) ?? count(told.input_tokens)
  if (output === undefined || input === undefined) return undefined
  // Some count what was cached among the input, some apart; the total has all of it.
  const total = count(told.totalTokens) ?? count(told.total_tokens) ?? 0
  return { input: Math.max(input, total - output), output }
}
