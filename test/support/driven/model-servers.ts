import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export const FAMILIES = ['anthropic', 'openai'] as const
export type Family = (typeof FAMILIES)[number]

/** What the model answers to one request. */
export interface Reply {
  think?: string[]
  say?: string[]
  calls?: { name: string; input: unknown }[]
  tokens?: { input: number; output: number }
  /** The connection is cut behind what was said, or ends there as if nothing more was to come. */
  cut?: 'broken' | 'ended'
  /** Nothing more comes, and the connection stays. */
  hang?: true
  /** The service fails in the middle of the stream. */
  fails?: string
  finish?: 'length' | 'refusal'
  /** Instead of an answer. */
  refuse?: { status: number; message: string; code?: string; headers?: Record<string, string> }
}

/** What a request said, whatever the family. */
export interface Asked {
  path: string
  headers: IncomingMessage['headers']
  body: { model: string; messages: { role: string; content: unknown }[]; tools?: unknown[]; [name: string]: unknown }
  /** Resolves when its connection is gone. */
  closed: Promise<unknown>
}

/** A service of models that answers what the script says: one reply for each request, or what it finds for it. */
export async function startModelServer(family: Family, script: Reply[] | ((body: Asked['body']) => Reply | undefined)) {
  const asked: Asked[] = []
  const waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const closed = once(response, 'close')
    const body = (await json(request)) as Asked['body']
    asked.push({ path: request.url ?? '', headers: request.headers, body, closed })
    for (const wake of waiting.splice(0)) wake()
    const reply = typeof script === 'function' ? script(body) : script[asked.length - 1]
    await answer(family, response, reply ?? { refuse: { status: 400, message: 'The script is over' } })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/v1`, asked, requests }

  /** Resolves when so many have come. */
  async function requests(count: number): Promise<void> {
    while (asked.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
  }
}

async function answer(family: Family, response: ServerResponse, reply: Reply) {
  if (reply.refuse) {
    const { status, message, code = 'invalid_request_error', headers } = reply.refuse
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type: code, code, message } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = family === 'anthropic' ? anthropicEvents(reply) : openaiEvents(reply)
  // Each on its way before the next, so that a cut comes behind what was said.
  for (const event of events) await new Promise((sent) => response.write(frame(family, event), sent))
  if (reply.cut === 'broken') response.destroy()
  else if (!reply.hang) response.end(family === 'openai' && !reply.cut ? 'data: [DONE]\n\n' : '')
}

function frame(family: Family, event: Record<string, unknown>): string {
  const name = family === 'anthropic' ? `event: ${event.type}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

function anthropicEvents({ think, say, calls = [], tokens, ...end }: Reply) {
  const { input, output } = tokens ?? { input: 10, output: 5 }
  const usage = { input_tokens: input, output_tokens: 1 }
  const message = { id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [], usage }
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
    block({ type: 'tool_use', id: `toolu_${n}`, name, input: {} }, inTwo(input).map(asPartialJson))
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

function openaiEvents({ think = [], say = [], calls = [], tokens, ...end }: Reply) {
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

function unfinished({ cut, hang, fails }: Reply): boolean {
  return Boolean(cut || hang || fails)
}

function failure(type: string, message: string): Record<string, unknown> {
  return { type: 'error', error: { type, code: type, message } }
}

function asPartialJson(partial_json: string) {
  return { type: 'input_json_delta', partial_json }
}

/** Arguments come in pieces. A text is what a model gets wrong. */
function inTwo(input: unknown): string[] {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
