const STREAM = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * An answer that comes soon keeps its status, which the protocol demands of some errors. One that takes longer becomes
 * a stream with signs of life, because clients give up on a call that sends no byte.
 */
export async function streamWhenSlow(
  answer: Promise<Response>,
  { patienceMs = 1000, keepAliveMs = 15_000 } = {},
): Promise<Response> {
  const soon = await within(patienceMs, answer)
  return soon ?? new Response(streamOf(eventsOf(answer, keepAliveMs)), { headers: STREAM })
}

async function* eventsOf(answer: Promise<Response>, keepAliveMs: number): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let response: Response | undefined
  while (!response) {
    yield encoder.encode(': keepalive\n\n')
    response = await within(keepAliveMs, answer)
  }
  const { body } = response
  if (body && response.headers.get('content-type') === STREAM['content-type']) yield* body
  else yield encoder.encode(`event: message\ndata: ${await response.text()}\n\n`)
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => void chunks.return(undefined),
  })
}

async function within(ms: number, answer: Promise<Response>): Promise<Response | undefined> {
  const waited = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => waited.resolve(undefined), ms)
  return Promise.race([answer, waited.promise]).finally(() => clearTimeout(timer))
}
