import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAgentEndpoint } from '../../../src/doors/mcp/http/agent-endpoint.ts'
import { bridgeSurface } from '../../../src/doors/mcp/surfaces/bridge-surface.ts'
import { localPrincipal } from '../../../src/protocol/principal.ts'
import { agentOverHttp, type Era } from '../../support/agent.ts'
import { ask, nextQuestion, openTestChat, until } from '../../support/chat.ts'
import { startHub } from '../../support/hub.ts'
import { fetchFrom } from '../../support/mcp/fetch-from.ts'
import { connect } from '../../support/socket.ts'

const MINUTE_MS = 60_000

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
    const { view, url } = await startHub()
    const agent = await agentOverHttp(url, { era })
    const person = await connect(url)
    const stop = new AbortController()
    const cancelled = agent.call({ text: 'Deploy now?' }, { signal: stop.signal })
    await person.next('agentMessage')
    stop.abort('changed my mind')
    await expect(cancelled).rejects.toThrow()
    await until(() => view.agentState('work') !== 'waiting')
    expect((await view.conversation('work')).open).toHaveLength(1)
  })

  test('[M7] waits again for a question by its id', async () => {
    const { chat, view, url } = await startHub()
    const id = await ask(chat.as(localPrincipal('agent')), { by: 'test-agent', text: 'Deploy now?' })
    const agent = await agentOverHttp(url, { era })
    const reply = agent.ask('Deploy now?', { question_id: id })
    await until(() => view.agentState('work') === 'waiting')
    await view.answer(id, 'Yes')
    expect(await reply).toBe('Yes')
  })
})

/** The endpoint without a listener: fetch goes straight to it. */
function endpoint(caller: () => string, parts: { idleMs?: number; heartbeatMs?: number } = {}) {
  const { chat, view } = openTestChat()
  const mcp = createAgentEndpoint({
    viewOf: chat.as,
    surface: bridgeSurface,
    requestLimitBytes: 1024 * 1024,
    ...parts,
  })
  onTestFinished(mcp.close)
  return { view, fetch: fetchFrom(mcp, () => ({ id: caller(), name: caller(), role: 'agent' })) }
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
    const { view, fetch } = endpoint(() => 'local', { heartbeatMs: 5 })
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
    await view.answer(await nextQuestion(view), 'Yes')
    expect((await call).structuredContent).toEqual({ reply: 'Yes' })
    expect(beats[0]).toBe(0)
    expect(beats).toEqual([...new Set(beats)].sort((one, other) => one - other))
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
  // What is idle is so by a clock that only the test moves.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { view, fetch } = endpoint(() => 'local', { idleMs: MINUTE_MS })
  const { client: waiting } = await client(fetch, 'waiting')
  const call = waiting.callTool({ name: 'send_message', arguments: { text: 'Deploy now?' } })
  await until(() => view.agentState('waiting') === 'waiting')
  const { client: idle, transport } = await client(fetch, 'idle')
  const short = idle.callTool({ name: 'send_message', arguments: { text: 'Ready?' } })
  await until(() => view.agentState('idle') === 'waiting')
  await view.answer((await view.conversation('idle')).open[0]?.id ?? '', 'Yes')
  await short
  await transport.close()
  while (view.agentState('idle') !== 'gone') {
    vi.advanceTimersByTime(MINUTE_MS)
    await new Promise(setImmediate)
  }
  expect(view.agentState('waiting')).toBe('waiting')
  await view.answer((await view.conversation('waiting')).open[0]?.id ?? '', 'Yes')
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
      error: { code: -32001, message: 'Unknown MCP session; initialize a new one' },
    },
  ])
})
