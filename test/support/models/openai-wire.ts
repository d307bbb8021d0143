import { failure, inTwo, type Reply, unfinished } from './reply.ts'

export function openaiEvents({ think = [], say = [], calls = [], tokens, ...end }: Reply) {
  const events = [
    ...think.map((reasoning_content) => chunk({ reasoning_content })),
    ...say.map((content) => chunk({ content })),
    ...calls.flatMap(({ name, input }, index) => {
      const [first = '', ...rest] = inTwo(input)
      const opened = { index, id: `call_${index}`, type: 'function', function: { name, arguments: first } }
      const more = rest.map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] }))
      return [chunk({ tool_calls: [opened] }), ...more]
    }),
  ]
  if (unfinished(end)) return end.fails ? [...events, failure('server_error', end.fails)] : events
  const stop = end.finish
    ? { length: 'length', refusal: 'content_filter' }[end.finish]
    : calls.length
      ? 'tool_calls'
      : 'stop'
  const { input, output } = tokens ?? { input: 10, output: 5 }
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  return [...events, chunk({}, stop), { ...chunk({}), choices: [], usage }]
}

function chunk(delta: Record<string, unknown>, finish_reason: string | null = null): Record<string, unknown> {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason }],
  }
}
