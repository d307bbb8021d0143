import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { lives } from '../../scripts/processes.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { agentOverHttp, agentOverStdio, type Era } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { startParley } from '../support/process.ts'
import { connect, connectPage } from '../support/socket.ts'

const SENTENCE = 'Parley is shutting down; come back in a moment'
const COME_BACK = 'Parley is shutting down. The question stays open: come back in a moment with question_id'
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const UPGRADE =
  'GET /ws HTTP/1.1\r\nHost: localhost:PORT\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
  'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

async function startServing() {
  const data = await temporaryFolder()
  const parley = startParley(['serve', '--port', '0', '--data', data])
  return { ...parley, data, url: await parley.url }
}

/** Somebody who says this and then neither reads nor answers. */
async function silentClient(url: string, words: string) {
  const { port } = new URL(url)
  const stream = connectTcp({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void stream.destroy())
  stream.on('error', () => {})
  stream.write(words.replace('PORT', port))
  await once(stream, 'readable')
}

async function openQuestions(data: string): Promise<unknown> {
  const again = startParley(['serve', '--port', '0', '--data', data])
  return (await (await connect(await again.url)).next('connected')).history
}

describe('an agent that waits when the hub is told to end', () => {
  test.each<[Era, NodeJS.Signals]>([
    ['legacy', 'SIGTERM'],
    ['modern', 'SIGTERM'],
    ['modern', 'SIGINT'],
  ])('[C21] is answered over HTTP (%s era, %s), and its question stays open', async (era, signal) => {
    const { child, ended, data, url } = await startServing()
    const person = await connect(url)
    const agent = await agentOverHttp(url, { era })
    const answered = expect(agent.ask('Deploy now?')).rejects.toThrow(COME_BACK)
    await person.next('agentMessage')
    child.kill(signal)
    await answered
    expect(await person.closed).toEqual({ code: 1001, reason: SENTENCE })
    expect((await ended).code).toBe(0)
    expect(await openQuestions(data)).toMatchObject([{ text: 'Deploy now?' }])
  })

  test('[C21] is answered as a client of the first SDK too, whose stream is open', async () => {
    const { child, ended, url } = await startServing()
    const person = await connect(url)
    const client = new ClientV1({ name: 'v1', version: '1' })
    onTestFinished(() => client.close())
    await client.connect(new TransportV1(new URL(`${url}/mcp?session=work`)))
    const result = client.callTool({ name: 'send_message', arguments: { text: 'Deploy now?' } })
    await person.next('agentMessage')
    child.kill('SIGTERM')
    expect(await result).toEqual({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(COME_BACK) }],
    })
    expect((await ended).code).toBe(0)
  })

  test('[C21] is answered on the stream that a slow answer became', async () => {
    const { child, url } = await startServing()
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const params = { name: 'send_message', arguments: { text: 'Deploy now?' }, _meta }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'send_message',
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const stream = await fetch(`${url}/mcp?session=work`, { method: 'POST', headers, body })
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    child.kill('SIGTERM')
    expect(await stream.text()).toContain(COME_BACK)
  })

  test.each<Era>(['legacy', 'modern'])('[C21] is answered over stdio (%s era)', async (era) => {
    const env = { PARLEY_DATA: await temporaryFolder(), PARLEY_SESSION: 'work' }
    const agent = await agentOverStdio({ era, env })
    const person = await connect(await agent.url)
    const answered = expect(agent.ask('Deploy now?')).rejects.toThrow(COME_BACK)
    await person.next('agentMessage')
    process.kill(agent.pid, 'SIGTERM')
    await answered
    const { pid } = hubOf(env.PARLEY_DATA)
    person.ws.close()
    // Its socket is gone long before its folder is anybody's.
    await eventually(() => expect(lives(pid)).toBe(false))
    expect(await openQuestions(env.PARLEY_DATA)).toMatchObject([{ text: 'Deploy now?' }])
  })
})

test('[C22] a hub that closes refuses what is new with a reason and when to come back', async () => {
  const hub = await startHub()
  const page = await connectPage(hub.url)
  // A call that takes its time keeps the hub from going further.
  const signal = new AbortController().signal
  const caller = { client: 'slow', principal: localPrincipal('agent'), signal, carry() {} }
  const call = { tool: 'slow', caller, input: {}, started: performance.now() }
  const tellEnd = hub.admit(call)
  const closed = hub.close()
  page.say({ type: 'post', key: 'late', conversation: 'work', text: 'Hello?' })
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify(INITIALIZE)
  const [refused, ready, health, mcp, rest] = await Promise.all([
    page.next('refused'),
    fetch(`${hub.url}/readyz`),
    fetch(`${hub.url}/healthz`),
    fetch(`${hub.url}/mcp`, { method: 'POST', headers, body }),
    fetch(`${hub.url}/api/tools/ui_chat_human_post`, { method: 'POST', body: '{}' }),
    expect(connect(hub.url)).rejects.toThrow('503'),
  ])
  expect(refused).toEqual({ type: 'refused', key: 'late', code: 'shutting_down', error: SENTENCE })
  for (const answer of [ready, mcp, rest])
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect([await ready.json(), await rest.json()]).toEqual([{ error: SENTENCE }, { error: SENTENCE }])
  expect(await mcp.json()).toMatchObject({ error: { message: SENTENCE } })
  expect(health.status).toBe(200)
  expect(() => hub.admit(call)).toThrow(SENTENCE)
  tellEnd({ answer: {} })
  await closed
  expect((await page.closed).code).toBe(1001)
})

test('[C23] clients that neither read nor answer do not keep the hub from closing', async () => {
  const { child, ended, url } = await startServing()
  const mcp =
    'HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
  await silentClient(url, UPGRADE)
  await silentClient(url, UPGRADE.replace('/ws', '/ws?dialect=none'))
  await silentClient(
    url,
    `GET /healthz HTTP/1.1\r\nHost: localhost:PORT\r\n\r\nPOST /mcp ${mcp}Content-Length: 900\r\n\r\n{"jsonrpc"`,
  )
  const listen = JSON.stringify(INITIALIZE)
  await silentClient(url, `POST /mcp ${mcp}Content-Length: ${listen.length}\r\n\r\n${listen}`)
  child.kill('SIGTERM')
  // It would end with another status after its time is up.
  expect((await ended).code).toBe(0)
})

test('[C24] a second signal ends the process at once, with a status that says so', async () => {
  const { child, ended, url } = await startServing()
  await silentClient(url, UPGRADE)
  child.kill('SIGTERM')
  child.kill('SIGINT')
  expect((await ended).code).toBe(1)
})

test('[C27] everything that was accepted before the signal is there after it', async () => {
  const { child, ended, data, url } = await startServing()
  const page = await connectPage(url)
  for (let n = 0; n < 400; n++) page.say({ type: 'post', key: `${n}`, conversation: 'work', text: `${n}` })
  const accepted = [(await page.next('accepted')).key]
  child.kill('SIGTERM')
  await page.closed
  for (const { type, key } of page.frames) if (type === 'accepted') accepted.push(key)
  expect((await ended).code).toBe(0)
  const hub = await startHub(data)
  const { entries } = await hub.view.page('work', { limit: 1000 })
  expect(entries.map(({ key }) => key)).toEqual(expect.arrayContaining(accepted))
})
