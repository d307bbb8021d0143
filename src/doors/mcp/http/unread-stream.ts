/** Room for all that a session keeps to be resumed. */
const MOST_UNREAD = 16 * 1024 * 1024

/**
 * A stream of news, which nobody waits for: what its client has not read yet is kept here. The connection is cut when
 * more comes while so many bytes wait, so that who does not read costs no more than that.
 */
export function cutWhenUnread(response: Response, cut: () => void, mostUnread = MOST_UNREAD): Response {
  const { body, status, headers } = response
  if (!body) return response
  const reader = body.getReader()
  const kept = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        pass(controller).catch((error) => controller.error(error))
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnread }),
  )
  return new Response(kept, { status, headers })

  async function pass(controller: ReadableStreamDefaultController<Uint8Array>) {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return controller.close()
      if ((controller.desiredSize ?? 0) <= 0) return cut()
      controller.enqueue(value)
    }
  }
}
