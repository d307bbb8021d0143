import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { Agent as HttpsAgent, request as overHttps } from 'node:https'
import {
  type JSONRPCMessage,
  SdkErrorCode,
  SdkHttpError,
  type StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client'
import { bytePieces, linesInBytes } from '../../../io/lines.ts'
import { jsonIn } from '../../../protocol/text/json.ts'
import { isRecord } from '../../../protocol/text/record.ts'
import { tooLarge, type UpstreamTransport } from './process-transport.ts'
import { type ReadingRate, readAtRate } from './reading-rate.ts'
import { tooMuchIn } from './value-count.ts'

interface QuickPostsParts {
  transport: StreamableHTTPClientTransport & UpstreamTransport
  url: URL
  headers(): Record<string, string>
  messageBytes: number
  rate: ReadingRate
}

// Other HTTP clients keep an idle connection just as long.
const KEPT_MS = 4000

/**
 * Sends what a session of the 2025 era says. The SDK does the same with `fetch` and streams on streams, which take
 * twice as long as a call of a tool; it still opens the session, listens, and fetches the rest of an answer that broke
 * off.
 */
export function createQuickPosts({ transport, url, headers, messageBytes, rate }: QuickPostsParts) {
  const [request, agent] =
    url.protocol === 'https:'
      ? [overHttps, new HttpsAgent({ keepAlive: true, timeout: KEPT_MS })]
      : [overHttp, new HttpAgent({ keepAlive: true, timeout: KEPT_MS })]
  return { post, close: () => agent.destroy() }

  /** Resolves when it is taken. Answers come as messages of the transport. */
  function post(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const body = JSON.stringify(message)
    const { sessionId, protocolVersion } = transport
    return new Promise((resolve, reject) => {
      const sent = {
        ...headers(),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(body),
        ...(sessionId !== undefined && { 'mcp-session-id': sessionId }),
        ...(protocolVersion !== undefined && { 'mcp-protocol-version': protocolVersion }),
      }
      request(url, { method: 'POST', agent, headers: sent }, (response) => {
        response.on('error', () => {})
        if (response.statusCode === undefined || response.statusCode >= 300) return void refuse(response).then(reject)
        resolve()
        hear(response, message, options)
      })
        .on('error', reject)
        .end(body)
    })
  }

  function hear(response: IncomingMessage, asked: JSONRPCMessage, options?: TransportSendOptions) {
    const type = response.headers['content-type'] ?? ''
    const wanted = 'method' in asked && 'id' in asked ? asked.id : undefined
    let isAnswered = wanted === undefined
    let lastEvent: string | undefined
    let data: string[] = []
    let length = 0
    const isStream = type.startsWith('text/event-stream')
    const lines = isStream ? linesInBytes({ most: messageBytes, line: read, tooLong() {} }) : readWhole(messageBytes)
    const reading = readAtRate(response, rate, (piece) => {
      lines.hear(piece)
      if (lines.isTooLong()) refuseAnswer(tooLarge(messageBytes))
    })
    response.on('close', () => {
      reading.rest()
      take(lines.end() ?? '')
      if (isAnswered) return
      if (lastEvent === undefined) options?.onRequestStreamEnd?.()
      else transport.resumeStream(lastEvent).catch(() => options?.onRequestStreamEnd?.())
    })

    /** One line of an event. */
    function read(line: string) {
      const [, field, value = ''] = /^(\w*):? ?(.*?)\r?$/s.exec(line) ?? []
      length += line.length
      if (length > messageBytes) return refuseAnswer(tooLarge(messageBytes))
      if (field === 'data') data.push(value)
      else if (field === 'id') lastEvent = value
      else if (field === '' && value === '') {
        const event = data.join('\n')
        data = []
        length = 0
        take(event)
      }
    }

    function take(json: string) {
      const tooMuch = tooMuchIn(json)
      if (tooMuch) return refuseAnswer(tooMuch)
      for (const message of [jsonIn(json)].flat()) {
        if (!isRecord(message)) continue
        if (message.id === wanted && !('method' in message)) isAnswered = true
        transport.onmessage?.(message as unknown as JSONRPCMessage)
      }
    }

    function refuseAnswer(why: string) {
      isAnswered = true
      lines.end()
      response.destroy()
      transport.refused?.({ id: wanted }, why)
    }
  }
}

/** An answer that is one message, however many lines it has. */
function readWhole(most: number) {
  const pieces = bytePieces()
  return { hear: pieces.add, end: () => pieces.taken().toString(), isTooLong: () => pieces.length() > most }
}

const LONGEST_REFUSAL = 1000

async function refuse(response: IncomingMessage): Promise<Error> {
  const status = response.statusCode ?? 0
  const said = await beginningOf(response)
  const problem = `Error POSTing to endpoint (HTTP ${status}): ${said}`
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, problem, { status })
}

/** The rest is not read. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  let said = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      said += chunk
      if (said.length > LONGEST_REFUSAL) break
    }
  } catch (error) {
    // It broke off.
    if (!(error instanceof Error && 'code' in error)) throw error
  }
  return said.slice(0, LONGEST_REFUSAL)
}
