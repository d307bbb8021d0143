import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { said, startGateway, untilMount, upstream } from '../support/upstream/gateway.ts'

type Raw = Record<string, unknown>
type Respond = (response: ServerResponse, id: unknown, request: IncomingMessage) => void

const RESULT = { content: [{ type: 'text', text: 'Done, ü' }] }
const TYPE = { events: { 'content-type': 'text/event-stream' }, json: { 'content-type': 'application/json' } }

const ANSWERS: Record<string, Respond> = {
  'as JSON on several lines': (response, id) => response.writeHead(200, TYPE.json).end(pretty(id)),
  'in a list': (response, id) => response.writeHead(200, TYPE.json).end(`[${pretty(id)}]`),
  'as an event in pieces': (response, id) => {
    const bytes = Buffer.from(`: there\r\nevent: message\r\ndata: ${JSON.stringify(answer(id))}\r\n\r\n`)
    response.writeHead(200, TYPE.events)
    for (const byte of bytes) response.write(Buffer.from([byte]))
    response.end()
  },
  elsewhere: (response, _, { url }) => response.writeHead(307, { location: `${url}-moved` }).end(),
  'in a stream that breaks off': (response, id) => {
    response.writeHead(200, TYPE.events).write(`id: first-of-${id}\ndata:\n\n`, () => response.destroy())
  },
}

test.each(Object.keys(ANSWERS))('[G111] a server at an address that answers %s is understood', async (way) => {
  const { connect } = await startGateway({ servers: { far: { url: await serve(ANSWERS[way] as Respond) } } })
  const client = await connect()
  expect(await said(client, 'far_do')).toBe('Done, ü')
  expect(await said(client, 'far_do')).toBe('Done, ü')
})

test.each<[string, Respond, string]>([
  [
    'sends too much in an event',
    (response) => flood(response.writeHead(200, TYPE.events), 'data: '),
    'gave no answer that can be used: it sent a message of more than 1 MiB',
  ],
  [
    'sends too much as JSON',
    (response) => flood(response.writeHead(200, TYPE.json), '"'),
    'gave no answer that can be used: it sent a message of more than 1 MiB',
  ],
  [
    'fails',
    (response) => response.writeHead(500).end('Out of order'),
    'was lost during the call: Error POSTing to endpoint (HTTP 500): Out of order',
  ],
])('[G112] a call of a server at an address that %s gets a clear error, and others work', async (_, respond, why) => {
  const servers = { far: { url: await serve(respond) }, good: upstream() }
  const patience = { messageBytes: 1024 * 1024, backOffMs: 20, mostBackOffMs: 50 }
  const { connect, gateway } = await startGateway({ servers, patience })
  const client = await connect()
  expect(await said(client, 'far_do')).toContain(`The server "far" ${why}`)
  expect(await said(client, 'good_echo', { text: 'here' })).toBe('here')
  await untilMount(gateway, 'far', ({ state }) => state === 'ready')
})

test.each<[string, Respond, string]>([
  [
    'sends an event without an end',
    (response) => forever(response.writeHead(200, TYPE.events), `data: ${'x'.repeat(60_000)}\n`),
    'gave no answer that can be used: it sent a message of more than 1 MiB',
  ],
  [
    'refuses without an end',
    (response) => forever(response.writeHead(500), 'No! '.repeat(10_000)),
    `was lost during the call: Error POSTing to endpoint (HTTP 500): ${'No! '.repeat(250)}`,
  ],
])('[G301] a server at an address that %s is not read to the end', async (_, respond, why) => {
  const servers = { far: { url: await serve(respond) } }
  const patience = { messageBytes: 1024 * 1024, backOffMs: 20, mostBackOffMs: 50 }
  const { connect } = await startGateway({ servers, patience })
  expect(await said(await connect(), 'far_do')).toBe(`The server "far" ${why}`)
})

test('[G308] separators of lines in a text do not end the line of an event', async () => {
  const text = 'one\u2028two\u2029three\u0085four'
  const url = await serve((response, id) => {
    const event = JSON.stringify(answer(id, { content: [{ type: 'text', text }] }))
    response.writeHead(200, TYPE.events).end(`data: ${event}\n\n`)
  })
  const { connect } = await startGateway({ servers: { far: { url } } })
  expect(await said(await connect(), 'far_do')).toBe(text)
})

/** A server of the 2025 era with one tool, which is answered like this. */
async function serve(respond: Respond): Promise<string> {
  const http = createServer(async (request, response) => {
    if (request.method === 'GET') return resume(request, response)
    const { id, method, params } = (await json(request)) as { id?: unknown; method: string; params?: Raw }
    if (id === undefined) return response.writeHead(202).end()
    if (method === 'tools/call' && !request.url?.endsWith('-moved')) return respond(response, id, request)
    response.writeHead(200, { ...TYPE.json, 'mcp-session-id': 'one' }).end(JSON.stringify(usual(id, method, params)))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

function usual(id: unknown, method: string, params: Raw = {}) {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = params
      return answer(id, { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } })
    }
    case 'tools/list':
      return answer(id, { tools: [{ name: 'do', inputSchema: { type: 'object' } }] })
    case 'tools/call':
      return answer(id)
    default:
      return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
  }
}

/** The rest of a stream that broke off. */
function resume(request: IncomingMessage, response: ServerResponse) {
  const [, id] = /^first-of-(.*)$/.exec(String(request.headers['last-event-id'])) ?? []
  if (id === undefined) return response.writeHead(405).end()
  response.writeHead(200, TYPE.events).end(`id: second\ndata: ${JSON.stringify(answer(id))}\n\n`)
}

function answer(id: unknown, result: Raw = RESULT) {
  return { jsonrpc: '2.0', id, result }
}

function pretty(id: unknown): string {
  return JSON.stringify(answer(id), undefined, 2)
}

function flood(response: ServerResponse, begin: string) {
  response.on('error', () => {})
  response.write(begin + 'x'.repeat(4 * 1024 * 1024))
}

/** Until nobody reads any more. */
function forever(response: ServerResponse, text: string) {
  pipeline(Readable.from(repeated(text)), response, () => {})
}

function* repeated(text: string) {
  for (;;) yield text
}
