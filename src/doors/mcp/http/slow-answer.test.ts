import { expect, test } from 'vitest'
import { streamWhenSlow } from './slow-answer.ts'

const BEAT = ': keepalive\n\n'

test('[M18] an answer that comes soon keeps its status', async () => {
  const refusal = Response.json({ error: 'no' }, { status: 400 })
  expect(await streamWhenSlow(Promise.resolve(refusal))).toBe(refusal)
})

test.each([
  { kind: 'JSON', answer: Response.json({ result: 1 }), event: 'event: message\ndata: {"result":1}\n\n' },
  {
    kind: 'a stream',
    answer: new Response('event: message\ndata: 1\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    event: 'event: message\ndata: 1\n\n',
  },
])('[M18] $kind that takes long is streamed behind signs of life', async ({ answer, event }) => {
  const late = Promise.withResolvers<Response>()
  const response = await streamWhenSlow(late.promise, { patienceMs: 1, keepAliveMs: 1 })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let beats = 0; beats < 3; beats++) expect(await reader?.read()).toEqual({ done: false, value: BEAT })
  late.resolve(answer)
  let rest = ''
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) break
    rest += value
  }
  expect(rest.replaceAll(BEAT, '')).toBe(event)
})
