import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import type { HttpEndpoint } from '../../src/doors/http/server.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { nextQuestion, until } from '../support/chat.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { temporaryFolder } from '../support/hub.ts'
import { fetchFrom } from '../support/mcp/fetch-from.ts'
import { call, openSurfaces, ROBOT } from '../support/mcp/surfaces.ts'
import { openPage, waiting } from '../support/page.ts'

const AGENT = '/mcp/agent'
const MINUTE_MS = 60_000
const BOUND = { ...ROBOT, conversation: 'work' }

/** An agent of one conversation, and a clock that only the test moves. Calls wait for as long as it takes. */
async function arrive(era: Era) {
  const clock = fakeClock(Date.now())
  const { view, connect } = openSurfaces({ clock, maxWaitSeconds: 0 })
  const agent = await connect(AGENT, BOUND, era)
  return { clock, view, connect, agent, state: () => view.agentState('work') }
}

/** Everything that a client closed is noticed. */
async function closed(client: Client) {
  await client.close()
  await new Promise(setImmediate)
}

/** A client with a session, to which nothing can be said by itself. */
async function connectDeaf(mounts: HttpEndpoint[]) {
  const mount = mounts.find(({ path }) => path === AGENT) as HttpEndpoint
  const fetch = fetchFrom(mount, () => BOUND)
  const refusing: typeof fetch = async (url, init) =>
    init?.method === 'GET' ? new Response(null, { status: 405 }) : fetch(url, init)
  const client = new Client({ name: 'test-client', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://localhost${AGENT}`), { fetch: refusing }))
  onTestFinished(() => client.close())
  return client
}

async function answer(view: View, text: string) {
  await view.answer(await nextQuestion(view), text)
}

describe.each<Era>(['legacy', 'modern'])('a client of the %s era over HTTP', (era) => {
  test('[M48] works while it is seen, and is gone within a minute after it closed', async () => {
    const { clock, agent, state } = await arrive(era)
    await call(agent, 'send_progress', { text: 'Begun' })
    expect(state()).toBe('working')
    clock.advance(20_000)
    expect(state()).toBe('idle')
    await call(agent, 'check_messages', {})
    expect(state()).toBe('working')
    await closed(agent)
    clock.advance(MINUTE_MS - 1)
    expect(state()).toBe('idle')
    clock.advance(1)
    expect(state()).toBe('gone')
  })

  test('[M48] is there as long as a call of it waits, and loses nothing when it is gone', async () => {
    const { clock, view, connect, agent, state } = await arrive(era)
    const asked = call(agent, 'send_message', { text: 'Deploy?' })
    await until(() => state() === 'waiting')
    clock.advance(30 * MINUTE_MS)
    expect(state()).toBe('waiting')
    await answer(view, 'Yes')
    expect(await asked).toEqual({ reply: 'Yes' })
    await closed(agent)
    clock.advance(MINUTE_MS)
    expect(state()).toBe('gone')
    await view.say('work', { text: 'Are you there?' })
    const back = await connect(AGENT, BOUND, era)
    expect((await call(back, 'check_messages', {})).messages.at(-1)).toMatchObject({ text: 'Are you there?' })
    expect(state()).toBe('working')
  })
})

test('[M49] a session without a stream is gone after a minute, and is back with its next request, as it was', async () => {
  const clock = fakeClock(Date.now())
  const { view, mcp } = openSurfaces({ clock, maxWaitSeconds: 0 })
  const state = () => view.agentState('work')
  const deaf = await connectDeaf(mcp.paths)
  const asked = call(deaf, 'send_message', { text: 'Deploy?' })
  await until(() => state() === 'waiting')
  await answer(view, 'Yes')
  await asked
  await new Promise(setImmediate)
  clock.advance(MINUTE_MS)
  expect(state()).toBe('gone')
  await deaf.listTools()
  expect(state()).toBe('idle')
  // What it got once it is not given again, which it would be in a new session.
  expect(await call(deaf, 'check_messages', {})).toEqual({ messages: [] })
})

test('[M49] a client of the 2026 era is there as long as it listens', async () => {
  const { clock, agent, state } = await arrive('modern')
  await call(agent, 'send_progress', { text: 'Begun' })
  const listening = await agent.listen({ toolsListChanged: true })
  clock.advance(30 * MINUTE_MS)
  expect(state()).toBe('idle')
  await listening.close()
  await new Promise(setImmediate)
  clock.advance(MINUTE_MS)
  expect(state()).toBe('gone')
})

test('[Q36] who only posts works for 20 s and is gone then, and the end of a turn ends it at once', async () => {
  const clock = fakeClock(Date.now())
  const { view, connect } = openSurfaces({ clock })
  const runtime = await connect('/mcp/assistant', BOUND)
  const loop = await connect('/mcp/loop', BOUND)
  await call(runtime, 'chat_assistant_event', { type: 'thinking', reasoning: 'Hm' })
  expect(view.agentState('work')).toBe('working')
  clock.advance(20_000)
  expect(view.agentState('work')).toBe('gone')
  await call(runtime, 'chat_assistant_post', { mime: 'text/plain', content: 'Done' })
  expect(view.agentState('work')).toBe('working')
  await call(loop, 'yield_turn', {})
  expect(view.agentState('work')).toBe('gone')
})

test('[Q35] an agent on a line is idle until it calls, and gone as soon as its line is closed', async () => {
  const agent = await agentOverStdio({ env: { PARLEY_DATA: await temporaryFolder(), PARLEY_SESSION: 'work' } })
  const page = openPage((await agent.url) ?? '')
  await page.until(() => page.agents.get('work') === 'idle')
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  await page.until(() => page.agents.get('work') === 'waiting')
  await page.answer(question, 'Yes')
  await reply
  await page.until(() => page.agents.get('work') === 'working')
  await agent.client.close()
  await page.until(() => page.agents.get('work') === 'gone')
})
