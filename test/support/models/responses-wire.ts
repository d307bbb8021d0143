import type { Reply } from './reply.ts'

export function responsesEvents({ say = [], calls = [], tokens }: Reply): Record<string, unknown>[] {
  const { input, output } = tokens ?? { input: 10, output: 5 }
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output }
  const text = say.join('')
  const items = [
    ...(text ? [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }] : []),
    ...calls.map(({ name, namespace, input }, index) => ({
      type: 'function_call',
      call_id: `call_${index}`,
      name,
      ...(namespace && { namespace }),
      arguments: JSON.stringify(input),
    })),
  ]
  return [
    { type: 'response.created', response: { id: 'r' } },
    ...items.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
    { type: 'response.completed', response: { id: 'r', usage } },
  ]
}
