import { type IncomingMessage, request as openRequest } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Era } from '../agent.ts'

const INFO = { name: 'test-agent', version: '1' }
const MODERN = '2026-07-28'
/** The newest version of the 2025 era: its streams begin with an event to resume from. */
const LEGACY = '2025-11-25'

interface StreamEvent {
  id?: string
  data: string
}

/** An MCP client over HTTP that does what clients should not: it does not read, and it breaks off. */
export async function rawMcp(url: string, era: Era) {
  let session: string | undefined
  let count = 0
  if (era === 'legacy') {
    const opening = post('initialize', { protocolVersion: LEGACY, capabilities: {}, clientInfo: INFO })
    session = String((await opening.response).headers['mcp-session-id'])
    await opening.answer()
  }
  return { call, cancel, resume, end, ping }

  /** Its id is that of the call. */
  function call(input: object) {
    return post('tools/call', { name: 'take', arguments: input })
  }

  async function cancel(requestId: number) {
    await send('POST', { method: 'notifications/cancelled', params: { requestId } }).response
  }

  /** Whatever was sent before has been handled. */
  async function ping() {
    await post('tools/list', {}).answer()
  }

  async function end() {
    await send('DELETE').response
  }

  /** Goes on with a stream after one of its events, once the hub has seen that the connection is gone. */
  async function resume(last: string | undefined) {
    for (;;) {
      const exchange = send('GET', undefined, { 'last-event-id': last ?? '' })
      const { statusCode } = await exchange.response
      if (statusCode !== 409) return { ...exchange, statusCode }
      exchange.destroy()
    }
  }

  function post(method: string, params: object) {
    const id = ++count
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': MODERN,
      'io.modelcontextprotocol/clientInfo': INFO,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = { id, method, params: era === 'modern' ? { ...params, _meta } : params }
    return { id, ...send('POST', body, era === 'modern' ? { 'mcp-method': method, ...named(params) } : {}) }
  }

  function send(method: string, message?: object, more: Record<string, string> = {}) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era === 'modern' ? MODERN : LEGACY,
      ...(session && { 'mcp-session-id': session }),
      ...more,
    }
    const outgoing = openRequest(url, { method, headers })
    // Breaking off is an error to the one who does it, too.
    outgoing.on('error', () => {})
    outgoing.end(message && JSON.stringify({ jsonrpc: '2.0', ...message }))
    const response = new Promise<IncomingMessage>((resolve) => outgoing.on('response', resolve))
    onTestFinished(() => void outgoing.destroy())
    return { response, destroy: () => void outgoing.destroy(), nextEvent, answer }

    /** The next event of the stream, and nothing that comes after it. */
    async function nextEvent(): Promise<StreamEvent> {
      const incoming = await response
      incoming.setEncoding('utf8')
      let text = ''
      while (!text.includes('\n\n')) {
        const piece = incoming.read() as string | null
        if (piece === null) await new Promise((resolve) => incoming.once('readable', resolve))
        else text += piece
      }
      return eventIn(text)
    }

    /** The result that all of the answer holds. */
    async function answer(): Promise<unknown> {
      let text = ''
      for await (const piece of (await response).setEncoding('utf8')) text += piece
      const events = text.startsWith('{') ? [{ data: text }] : text.split('\n\n').map(eventIn)
      const messages = events.filter(({ data }) => data !== '').map(({ data }) => JSON.parse(data))
      return messages.find(({ result }) => result)?.result
    }
  }
}

function eventIn(text: string): StreamEvent {
  return { id: /^id: (.*)$/m.exec(text)?.[1], data: /^data: (.*)$/m.exec(text)?.[1] ?? '' }
}

/** The 2026 era repeats in a header what a call is for. */
function named(params: object): Record<string, string> {
  return 'name' in params ? { 'mcp-name': String(params.name) } : {}
}
