import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { INITIALIZE } from './agent.ts'
import { patiently } from './patience.ts'

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A 2025-era session over one kept connection: raw HTTP, because a client of the SDK would keep something itself. */
export async function openHttpSession(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers: Record<string, string> = { ...HEADERS }
  let lastId = 0
  const opened = await post({ id: ++lastId, method: 'initialize', params: INITIALIZE })
  const said = await text(opened)
  const session = opened.headers['mcp-session-id']
  if (typeof session !== 'string') throw new Error(`No session was opened, but ${opened.statusCode} answered: ${said}`)
  Object.assign(headers, { 'mcp-session-id': session, 'mcp-protocol-version': INITIALIZE.protocolVersion })
  await text(await post({ method: 'notifications/initialized' }))
  return { call, answerTo, close }

  async function call(name: string, input: object): Promise<void> {
    const answer = await answerTo('tools/call', { name, arguments: input })
    const { result } = JSON.parse(/^data: (\{.*)$/m.exec(answer)?.[1] ?? '{}')
    if (!result || result.isError) throw new Error(`${name} was answered with: ${answer}`)
  }

  /** The answer as it came. */
  function answerTo(method: string, params: object): Promise<string> {
    return patiently(`the answer to ${method}`, post({ id: ++lastId, method, params }).then(text))
  }

  /** A hub would wait for a client that goes without a word. */
  async function close(): Promise<void> {
    await text(await send('DELETE'))
    agent.destroy()
  }

  function post(message: object): Promise<IncomingMessage> {
    return send('POST', JSON.stringify({ jsonrpc: '2.0', ...message }))
  }

  function send(method: string, body?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      request(url, { agent, method, headers }, resolve).on('error', reject).end(body)
    })
  }
}
