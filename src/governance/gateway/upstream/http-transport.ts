import { setTimeout as pause } from 'node:timers/promises'
import {
  type JSONRPCMessage,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { HttpConfig } from '../mounts/mount-config.ts'
import type { MountLog } from '../mounts/mount-log.ts'
import type { Access } from '../sign-in/access.ts'
import { OddAnswer } from './odd-answer.ts'
import { type Limits, tooLarge, type UpstreamTransport } from './process-transport.ts'
import { createQuickPosts } from './quick-posts.ts'
import { createReadingRate } from './reading-rate.ts'
import { createValueCount } from './value-count.ts'

const [NEWLINE, RETURN] = [0x0a, 0x0d]

/** A server at an address. */
export function createHttpTransport(
  { url, headers, type }: HttpConfig,
  log: MountLog,
  limits: Limits,
  access?: Access,
) {
  const { messageBytes, mostASecond } = limits
  const rate = createReadingRate(mostASecond, log)
  const options = { requestInit: { headers }, fetch: limitedFetch, authProvider: access?.provider }
  if (type === 'sse')
    return Object.assign<UpstreamTransport, object>(new SSEClientTransport(new URL(url), options), { said: rate.said })
  const transport: StreamableHTTPClientTransport & UpstreamTransport = new StreamableHTTPClientTransport(
    new URL(url),
    options,
  )
  transport.hurry = hurry
  transport.said = rate.said
  return transport

  function hurry() {
    const quick = createQuickPosts({
      transport,
      url: new URL(url),
      headers: () => ({ ...headers, ...access?.headers() }),
      messageBytes,
      rate,
    })
    const [close, send] = [transport.close.bind(transport), transport.send.bind(transport)]
    transport.send = async (message, options) => {
      try {
        await quick.post(message as JSONRPCMessage, options)
      } catch (error) {
        // The SDK knows how to get in, or says that it takes a person; it was not let in before.
        if (!isRedirect(error) && !(access && isRefused(error))) throw error
        if (isRedirect(error)) transport.send = send
        await send(message, options)
      }
    }
    transport.close = async () => {
      quick.close()
      await close()
    }
  }

  async function limitedFetch(...asked: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...asked)
    if (!response.body) return answered(response, asked[1])
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
    const body = response.body.pipeThrough(limited(isStream))
    const { status, statusText, headers } = response
    return answered(new Response(body, { status, statusText, headers }), asked[1])
  }

  /** A newer token may have come since the refused request was sent. */
  function answered(response: Response, asked?: RequestInit): Response {
    if (response.status === 401) access?.refused(response, asked?.headers)
    return response
  }

  /** An event ends with an empty line; every other answer is one message as a whole. */
  function limited(isStream: boolean) {
    let [length, line, count] = [0, 0, createValueCount()]
    return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      async transform(chunk, controller) {
        const pauseMs = rate.pauseAfter(chunk)
        if (pauseMs > 0) await pause(pauseMs)
        const why = tooMuchIn(chunk)
        if (why) controller.error(new OddAnswer(why))
        else controller.enqueue(chunk)
      },
    })

    function tooMuchIn(chunk: Uint8Array): string | undefined {
      for (let from = 0; ; ) {
        const end = isStream ? chunk.indexOf(NEWLINE, from) : -1
        const piece = chunk.subarray(from, end === -1 ? undefined : end)
        length += piece.length
        line += piece.length
        const why = length > messageBytes ? tooLarge(messageBytes) : count.take(piece)
        if (why || end === -1) return why
        const isEmpty = line === 0 || (line === 1 && piece[0] === RETURN)
        if (isEmpty) [length, count] = [0, createValueCount()]
        line = 0
        from = end + 1
      }
    }
  }
}

/** The SDK follows those. */
function isRedirect(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status >= 300 && error.status < 400
}

function isRefused(error: unknown): boolean {
  return error instanceof SdkHttpError && (error.status === 401 || error.status === 403)
}
