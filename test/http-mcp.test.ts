import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createChat } from '../src/chat/chat.ts'
import { openMemoryLog } from '../src/log/memory-log.ts'
import { bridgeSurface } from '../src/mcp/bridge-surface.ts'
import { createSeatEndpoint } from '../src/mcp/seat-endpoint.ts'
import { agentOverHttp, type Era } from './support/agent.ts'
import { fetchFrom } from './support/fetch-from.ts'
import { startHub } from './support/hub.ts'
import { connect } from './support/socket.ts'

describe.each<Era>(['legacy', 'modern'])('an agent of the %s era over HTTP', (era) => {
  test('[M2] asks, waits, and gets the reply', async () => {
    const { url } = await startHub()
    const agent = await agentOverHttp(url, { era })
    const person = await connect(url)
    const reply = agent.ask('Deploy now?')
    person.say({ type: 'ack', id: (await person.next('agentMessage')).ack_id, message: 'Yes' })
    expect(await reply).toBe('Yes')
  })

  test('[M4] cancels the wait and not the question', async () => {
    const { chat, url } = await startHub()
    const agent = await agentOverHttp(url, { era })
    const person = await connect(url)
    const stop = new AbortController()
    const cancelled = agent.call({ text: 'Deploy now?' }, { signal: stop.signal })
    await person.next('agentMessage')
    stop.abort('changed my mind')
    await expect(cancelled).rejects.toThrow()
    while (chat.agentState('work') === 'waiting') await new Promise(setImmediate)
    expect((await chat.conversation('work')).open).toHaveLength(1)
  })

  test('[M7] waits again for a question by its id', async () => {
    const { chat, url } = await startHub()
    const { id } = await chat.ask('work', { by: 'test-agent', text: 'Deploy now?' })
    const agent = await agentOverHttp(url, { era })
    const reply = agent.ask('Deploy now?', { question_id: id })
    while (chat.agentState('work') !== 'waiting') await new Promise(setImmediate)
    await chat.answer(id, 'Yes', 'person')
    expect(await reply).toBe('Yes')
  })
})

/** The endpoint without a listener: fetch goes straight to it. */
function endpoint(caller: () => string, parts: { idleMs?: number; heartbeatMs?: number } = {}) {
  const chat = createChat({ log: openMemoryLog() })
  const mcp = createSeatEndpoint({ chat, surface: bridgeSurface, requestLimitBytes: 1024 * 1024, ...parts })
  onTestFinished(async () => {
    await mcp.close()
    await chat.close()
  })
  return { chat, fetch: fetchFrom(mcp, () => ({ name: caller(), role: 'agent' })) }
}

async function client(
  fetch: ReturnType<typeof endpoint>['fetch'],
  session = 'work',
  mode: 'legacy' | 'auto' = 'legacy',
) {
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost/mcp?session=${session}`), { fetch })
  const client = new Client({ name: 'test-agent', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return { client, transport }
}

test.each(['legacy', 'auto'] as const)(
  '[M3] a caller that asked for progress (%s) hears that its call is alive',
  async (mode) => {
    const { chat, fetch } = endpoint(() => 'local', { heartbeatMs: 5 })
    const { client: agent } = await client(fetch, 'work', mode)
    const beats: number[] = []
    const enough = Promise.withResolvers<void>()
    const call = agent.callTool(
      { name: 'send_message', arguments: { text: 'Deploy now?' } },
      {
        onprogress({ progress }) {
          if (beats.push(progress) === 4) enough.resolve()
        },
      },
    )
    await enough.promise
    await chat.answer((await chat.conversation('work')).open[0]?.id ?? '', 'Yes', 'person')
    expect((await call).structuredContent).toEqual({ reply: 'Yes' })
    expect(beats.slice(0, 4)).toEqual([0, 1, 2, 3])
  },
)

test('[M8] a session answers only to whoever opened it', async () => {
  let caller = 'alice'
  const { fetch } = endpoint(() => caller)
  const { client: agent } = await client(fetch)
  await agent.listTools()
  caller = 'mallory'
  await expect(agent.listTools()).rejects.toThrow('This MCP session belongs to another client')
  caller = 'alice'
  await agent.listTools()
})

test('[M9] an idle session is given up, and its agent with it, but never one that waits', async () => {
  const { chat, fetch } = endpoint(() => 'local', { idleMs: 20 })
  const { client: waiting } = await client(fetch, 'waiting')
  const call = waiting.callTool({ name: 'send_message', arguments: { text: 'Deploy now?' } })
  while (chat.agentState('waiting') !== 'waiting') await new Promise(setImmediate)
  const { client: idle, transport } = await client(fetch, 'idle')
  const short = idle.callTool({ name: 'send_message', arguments: { text: 'Ready?' } })
  while (chat.agentState('idle') !== 'waiting') await new Promise(setImmediate)
  await chat.answer((await chat.conversation('idle')).open[0]?.id ?? '', 'Yes', 'person')
  await short
  await transport.close()
  while (chat.agentState('idle') !== 'gone') await new Promise(setImmediate)
  expect(chat.agentState('waiting')).toBe('waiting')
  await chat.answer((await chat.conversation('waiting')).open[0]?.id ?? '', 'Yes', 'person')
  expect((await call).structuredContent).toEqual({ reply: 'Yes' })
})

test('[M14] a session that is not known is told so', async () => {
  const { url } = await startHub()
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': 'nobody',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers, body })
  expect([response.status, await response.json()]).toEqual([
    404,
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32001, message: 'This MCP session is not known; initialize a new one' },
    },
  ])
})
