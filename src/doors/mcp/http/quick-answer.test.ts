import { expect, test } from 'vitest'
import { wholeWhenQuick } from './quick-answer.ts'

const EVENTS = { headers: { 'content-type': 'text/event-stream', 'x-more': 'kept' } }

test('[G110] an answer that is all there at once is sent as a whole', async () => {
  const { stream, write, end } = events()
  write('data: 1\n\n')
  write('data: 2\n\n')
  end()
  const answer = await wholeWhenQuick(new Response(stream, EVENTS), 60_000)
  expect(answer.headers.get('x-more')).toBe('kept')
  expect(await answer.text()).toBe('data: 1\n\ndata: 2\n\n')
})

test('[G110] one that takes longer stays a stream, with what came before', async () => {
  const { stream, write, end } = events()
  write('data: 1\n\n')
  const answer = await wholeWhenQuick(new Response(stream, EVENTS), 0)
  const reader = answer.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n')
  write('data: 2\n\n')
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 2\n\n')
  end()
  expect(await reader?.read()).toMatchObject({ done: true })
})

test('[G110] what is no stream, or has no body, is not touched', async () => {
  const plain = Response.json({ a: 1 })
  expect(await wholeWhenQuick(plain)).toBe(plain)
  const none = new Response(null, { status: 202 })
  expect(await wholeWhenQuick(none)).toBe(none)
})

function events() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const stream = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
    },
  })
  return {
    stream,
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  }
}
