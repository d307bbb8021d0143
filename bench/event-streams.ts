import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { patiently } from './patience.ts'
import { MARK } from './texts.ts'

/** Many open event streams of one server, and when the last of them has heard of something. */
export async function openEventStreams(count: number, open: (n: number) => { options: RequestOptions; body?: string }) {
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY })
  let heard = 0
  let told = Promise.withResolvers<void>()
  let size = 0
  const streams: IncomingMessage[] = []
  for (let n = 0; n < count; n++) streams.push(await openOne(n))
  return { hearAll, size: () => size, close }

  /** Resolves when every stream has got one more event that holds this text. */
  async function hearAll(post: () => Promise<unknown>): Promise<number> {
    heard = 0
    told = Promise.withResolvers()
    const started = performance.now()
    await post()
    await patiently('the last notification', told.promise, () => heard)
    return performance.now() - started
  }

  function openOne(n: number): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { options, body } = open(n)
      const sent = request({ agent, ...options }, (stream) => {
        stream.setEncoding('utf8')
        stream.on('data', hear)
        stream.once('data', () => resolve(stream))
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  function hear(chunk: string) {
    if (!chunk.includes(MARK)) return
    size = chunk.length
    if (++heard === count) told.resolve()
  }

  function close() {
    agent.destroy()
  }
}
