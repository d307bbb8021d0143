import { once } from 'node:events'
import { get } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { agentOverHttp } from '../support/agent.ts'
import { until } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { openTestHub, startHub } from '../support/hub.ts'
import { connect, connectPage } from '../support/socket.ts'

const POST = { mime: 'text/plain', content: 'Hello' }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const accept = 'application/json, text/event-stream'
  const all = { 'content-type': 'application/json', accept, ...headers }
  return fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) })
}

/** Of so many at once that no machine is slow enough to let all of them in. */
async function refusedOf(send: () => Promise<Response>) {
  const answers = await Promise.all(Array.from({ length: 50 }, send))
  const refused = answers.filter(({ ok }) => !ok)
  return { count: refused.length, first: refused[0] }
}

/** The answer of a hub that does not upgrade. */
async function refusedUpgrade(url: string) {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/ws`)
  ws.on('error', () => {})
  const [, response] = await once(ws, 'unexpected-response')
  let body = ''
  for await (const chunk of response) body += chunk
  return { status: response.statusCode, headers: response.headers, error: JSON.parse(body).error }
}

async function metricsOf(url: string): Promise<string[]> {
  return (await (await fetch(`${url}/metrics`)).text()).split('\n')
}

describe('a principal that sends faster than the limit', () => {
  test('[S17] is refused by REST and MCP with 429 and when to try again', async () => {
    const { url } = await startHub(undefined, { rate: 1 })
    const rest = await refusedOf(() => post(`${url}/api/tools/ui_chat_human_post`, POST))
    expect([rest.first?.status, rest.first?.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await rest.first?.json()).toEqual({ error: 'Too many requests; try again in 1 s' })
    const mcp = await refusedOf(() => post(`${url}/mcp/human`, INITIALIZE))
    expect([mcp.first?.status, mcp.first?.headers.get('retry-after')]).toEqual([429, '1'])
    expect(await mcp.first?.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32029, message: 'Too many requests; try again in 1 s' },
    })
    expect(await metricsOf(url)).toContain(`parley_refused_total{code="rate_limited"} ${rest.count + mcp.count}`)
    // Agents are somebody else.
    expect((await post(`${url}/mcp`, INITIALIZE)).status).toBe(200)
  })

  test('[S17] is refused over the timeline with the key of its command, and stays connected', async () => {
    const { view, url } = await startHub(undefined, { rate: 1 })
    const page = await connectPage(url)
    for (let n = 0; n < 50; n++) page.say({ type: 'post', key: `k${n}`, conversation: 'work', text: `${n}` })
    const refused = await page.next('refused')
    expect(refused).toEqual({
      type: 'refused',
      key: expect.stringMatching(/^k\d+$/),
      code: 'rate_limited',
      error: 'Too many requests; try again in 1 s',
    })
    expect(page.ws.readyState).toBe(page.ws.OPEN)
    const said = (await view.page('work', { limit: 50 })).entries.map(({ key }) => key)
    expect(said).not.toContain(refused.key)
  })

  test('[S17] is refused in the other dialects with their error', async () => {
    const { url } = await startHub(undefined, { rate: 1 })
    const client = await connect(url, '/ws?dialect=loop')
    for (let n = 0; n < 50; n++) client.say({ type: 'chat', message: `${n}`, session_id: 'work' })
    expect(await client.next('error')).toEqual({ type: 'error', error: 'Too many requests; try again in 1 s' })
    expect(client.ws.readyState).toBe(client.ws.OPEN)
  })
})

test('[S18] a connection too many is refused with 503 before the upgrade, until another one ends', async () => {
  const { url } = await startHub(undefined, { connections: 2 })
  const [first] = [await connect(url), await connect(url)]
  const upgrade = await refusedUpgrade(url)
  expect(upgrade).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    error: 'All 2 connections are in use; try again in a moment',
  })
  const mcp = await post(`${url}/mcp`, INITIALIZE)
  expect([mcp.status, mcp.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await metricsOf(url)).toEqual(
    expect.arrayContaining(['parley_connections 2', 'parley_limit{limit="connections"} 2']),
  )
  first.ws.close()
  await first.closed
  await until(async () => (await metricsOf(url)).includes('parley_connections 1'))
  await (await connect(url)).next('connected')
})

test('[S19] a text beyond the limit of the hub is refused in one sentence at every door, and nothing is said', async () => {
  const { view, url } = await startHub(undefined, { messageBytes: 1024 })
  const sentence = 'A text is larger than the limit of 1024 bytes'
  // Characters of two bytes: it is bytes that count.
  const text = 'é'.repeat(513)
  const page = await connectPage(url)
  page.say({ type: 'post', key: 'k', conversation: 'work', text })
  expect(await page.next('refused')).toMatchObject({ key: 'k', code: 'text_too_large', error: sentence })
  const rest = await post(`${url}/api/tools/ui_chat_human_post`, { mime: 'text/plain', content: text })
  expect([rest.status, await rest.json()]).toEqual([413, { error: sentence }])
  const agent = await agentOverHttp(url)
  await expect(agent.ask(text)).rejects.toThrow(sentence)
  expect((await view.page(undefined, { limit: 1 })).entries).toEqual([])
  page.say({ type: 'post', key: 'fits', conversation: 'work', text: 'é'.repeat(512) })
  expect(await page.next('accepted')).toMatchObject({ key: 'fits' })
  const bulk = await post(`${url}/api/tools/ui_chat_human_post`, { mime: 'text/plain', content: 'x'.repeat(70_000) })
  expect([bulk.status, await bulk.json()]).toEqual([413, { error: 'This is larger than the limit' }])
})

test('[S20] the hub says that it is alive, and that it is ready once its log is read', async () => {
  const { chat, url } = await startHub()
  const health = await fetch(`${url}/healthz`)
  expect([health.status, await health.json()]).toEqual([200, { name: 'parley', status: 'ok' }])
  await chat.ready
  const ready = await fetch(`${url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([200, { name: 'parley', status: 'ready' }])
})

test('[S20] [S21] health needs no token where there are tokens, and the numbers need any', async () => {
  const hub = await openTestHub({
    host: '127.0.0.1',
    port: 0,
    data: 'memory',
    tokens: 'robot:agent:secret-secret-secret',
  })
  onTestFinished(hub.close)
  for (const path of ['/healthz', '/readyz']) expect((await fetch(hub.url + path)).status).toBe(200)
  const refused = await fetch(`${hub.url}/metrics`)
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'This hub requires a token' }])
  const headers = { authorization: 'Bearer secret-secret-secret' }
  expect((await fetch(`${hub.url}/metrics`, { headers })).status).toBe(200)
})

test('[S21] the numbers are those of what happens', async () => {
  const { url } = await startHub()
  const page = await connectPage(url)
  const person = await connect(url)
  const agent = await agentOverHttp(url)
  const reply = agent.ask('Deploy now?')
  const { ack_id } = await person.next('agentMessage')
  expect(await metricsOf(url)).toEqual(
    expect.arrayContaining([
      'parley_websockets{dialect="timeline"} 1',
      'parley_websockets{dialect="documented"} 1',
      'parley_calls_open{tool="send_message"} 1',
      'parley_questions_open 1',
      'parley_agents_present 1',
      'parley_ready 1',
      'parley_limit{limit="rate"} 500',
    ]),
  )
  person.say({ type: 'ack', id: ack_id, message: 'Yes' })
  expect(await reply).toBe('Yes')
  person.say({ type: 'ack', id: ack_id, message: 'Yes again' })
  await person.next('error')
  await expect(agent.client.callTool({ name: 'dance-"\n', arguments: {} })).rejects.toThrow()
  page.ws.close()
  await page.closed
  // Its client knows before the hub does.
  const lines = await eventually(async () => {
    const lines = await metricsOf(url)
    expect(lines).toContain('parley_websockets{dialect="timeline"} 0')
    return lines
  })
  expect(lines).toEqual(
    expect.arrayContaining([
      'parley_frames_received_total{dialect="documented"} 2',
      'parley_refused_total{code="question_settled"} 1',
      'parley_calls_total{tool="send_message",outcome="ok"} 1',
      'parley_calls_total{tool="unknown",outcome="unknown_tool"} 1',
      'parley_call_duration_seconds_count{tool="send_message"} 1',
      'parley_calls_open{tool="send_message"} 0',
      'parley_questions_open 0',
      'parley_slow_clients_total 0',
    ]),
  )
  // Title, question and settlement; receipts come when they come.
  expect(sampleOf(lines, 'parley_log_entries_total')).toBeGreaterThanOrEqual(3)
  expect(sampleOf(lines, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
})

test('[S21] every line is one that Prometheus reads', async () => {
  const { url } = await startHub()
  const [response] = (await once(get(`${url}/metrics`), 'response')) as [import('node:http').IncomingMessage]
  expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  response.resume()
  for (const line of (await metricsOf(url)).slice(0, -1))
    expect(line).toMatch(/^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [\d.e+-]+)$/)
})

function sampleOf(lines: string[], name: string): number {
  return Number(lines.find((line) => line.startsWith(`${name} `))?.split(' ')[1])
}
