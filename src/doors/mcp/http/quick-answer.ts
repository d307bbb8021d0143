/** No client notices it, and most calls of tools are done by then. */
const PATIENCE_MS = 10

/** An answer that is all there within a moment is sent as a whole: each piece of a stream is a write of its own. */
export async function wholeWhenQuick(response: Response, patienceMs = PATIENCE_MS): Promise<Response> {
  const { body, status, headers } = response
  if (!body || headers.get('content-type') !== 'text/event-stream') return response
  const reader = body.getReader()
  const late = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => late.resolve(undefined), patienceMs)
  const pieces: Uint8Array[] = []
  for (;;) {
    const reading = reader.read()
    const read = await Promise.race([reading, late.promise])
    if (!read) return new Response(theRest(pieces, reading, reader), { status, headers })
    if (read.done) {
      clearTimeout(timer)
      return new Response(Buffer.concat(pieces), { status, headers })
    }
    pieces.push(read.value)
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

function theRest(
  pieces: Uint8Array[],
  reading: ReturnType<Reader['read']>,
  reader: Reader,
): ReadableStream<Uint8Array> {
  let next: ReturnType<Reader['read']> | undefined = reading
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
    },
    async pull(controller) {
      const { done, value } = await (next ?? reader.read())
      next = undefined
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
