import { randomUUID } from 'node:crypto'
import { failure, inTwo, type Reply, unfinished } from './reply.ts'

export function anthropicEvents({ think, say, calls = [], tokens, ...end }: Reply) {
  const { input, output } = tokens ?? { input: 10, output: 5 }
  const usage = { input_tokens: input, output_tokens: 1 }
  const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: 'm', content: [], usage }
  const events: Record<string, unknown>[] = [{ type: 'message_start', message }]
  let index = 0
  if (think)
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...think.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'signed' },
    ])
  if (say)
    block(
      { type: 'text', text: '' },
      say.map((text) => ({ type: 'text_delta', text })),
    )
  for (const [n, { name, input }] of calls.entries())
    block({ type: 'tool_use', id: `toolu_${n}_${randomUUID()}`, name, input: {} }, inTwo(input).map(asPartialJson))
  if (unfinished(end)) return end.fails ? [...events, failure('overloaded_error', end.fails)] : events
  const stop = end.finish
    ? { length: 'max_tokens', refusal: 'refusal' }[end.finish]
    : calls.length
      ? 'tool_use'
      : 'end_turn'
  events.push({ type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: output } })
  return [...events, { type: 'message_stop' }]

  function block(content_block: Record<string, unknown>, deltas: Record<string, unknown>[]) {
    events.push({ type: 'content_block_start', index, content_block })
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
    if (!unfinished(end)) events.push({ type: 'content_block_stop', index })
    index += 1
  }
}

function asPartialJson(partial_json: string) {
  return { type: 'input_json_delta', partial_json }
}
