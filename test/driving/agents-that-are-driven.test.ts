import { expect, onTestFinished, test } from 'vitest'
import type { Principal } from '../../src/protocol/principal.ts'
import type { Era } from '../support/agent.ts'
import { agentOverStdio } from '../support/agent.ts'
import { openTestHub, startHub, temporaryFolder } from '../support/hub.ts'
import { bodies, call, openSurfaces } from '../support/mcp/surfaces.ts'

const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const session_id = 'work'

async function openDriver() {
  const { view, connect } = openSurfaces()
  return { view, driver: await connect('/mcp/orchestrator', RUNNER) }
}

test('[O17] a call and its result are told with one id, what they are about and what they change', async () => {
  const { view, driver } = await openDriver()
  const about = { session_id, tool_name: 'edit', call_id: 'c1' }
  const locations = [{ path: 'src/a.ts', line: 3 }, { path: 'src/b.ts' }]
  const changes = [
    { path: 'src/a.ts', old_text: 'a', new_text: 'b' },
    { path: 'src/b.ts', new_text: 'new' },
  ]
  const tell = (event: Record<string, unknown>) => call(driver, 'chat_assistant_event', { ...about, ...event })
  await tell({ type: 'tool_call', tool_args: '{}', title: 'Edit a.ts', locations })
  await tell({ type: 'tool_result', result: 'ok', success: true, changes })
  const by = 'test-client'
  expect(await bodies(view)).toEqual([
    { kind: 'tool_call', by, tool_name: 'edit', tool_args: '{}', call_id: 'c1', title: 'Edit a.ts', locations },
    { kind: 'tool_result', by, tool_name: 'edit', result: 'ok', success: true, call_id: 'c1', changes },
  ])
})

test('[O17] a plan, a title and the end of a turn are told with everything that is known of them', async () => {
  const { view, driver } = await openDriver()
  const steps = [
    { text: 'Read', state: 'completed' },
    { text: 'Write', state: 'pending' },
  ]
  await call(driver, 'chat_assistant_event', { session_id, type: 'title', title: 'Fix the login' })
  await call(driver, 'chat_assistant_event', { session_id, type: 'plan', steps })
  const took = {
    outcome: 'cancelled',
    duration_ms: 1200,
    tokens: { input: 10, output: 20 },
    cost: { amount: 0.01, currency: 'USD' },
  }
  await call(driver, 'yield_turn', { session_id, ...took })
  await call(driver, 'yield_turn', { session_id })
  const by = 'test-client'
  expect(await bodies(view)).toEqual([
    { kind: 'title', title: 'Fix the login', by_agent: true, look: 0 },
    { kind: 'plan', by, steps },
    { kind: 'turn', by, ...took },
    { kind: 'turn', by },
  ])
  expect((await view.conversation('work')).title).toBe('Fix the login')
})

test('[O17] what is told in another way is refused in one sentence and changes nothing', async () => {
  const { view, driver } = await openDriver()
  const tell = (event: Record<string, unknown>) => call(driver, 'chat_assistant_event', { session_id, ...event })
  await expect(tell({ type: 'plan', steps: [{ text: 'Read', state: 'done' }] })).rejects.toThrow('steps.0.state')
  await expect(tell({ type: 'plan' })).rejects.toThrow('"steps"')
  await expect(tell({ type: 'title' })).rejects.toThrow('"title" must be text')
  await expect(tell({ type: 'tool_call', tool_name: 'x', tool_args: '{}', call_id: '' })).rejects.toThrow('"call_id"')
  await expect(call(driver, 'yield_turn', { session_id, outcome: 'done' })).rejects.toThrow('"outcome"')
  expect(await bodies(view)).toEqual([])
})

test.each<Era>(['legacy', 'modern'])(
  '[O16] over the socket of the folder an orchestrator needs no token, also where people do (%s)',
  async (era) => {
    const PARLEY_DATA = await temporaryFolder()
    const PARLEY_TOKENS = 'ada:human:of-ada-0123456789'
    const args = ['stdio', '--surface', 'orchestrator']
    const { client } = await agentOverStdio({ era, args, env: { PARLEY_DATA, PARLEY_TOKENS } })
    expect(await call(client, 'hold_conversation', { session_id, holder: 'me' })).toMatchObject({ held: true })
    await call(client, 'chat_assistant_post', { session_id, mime: 'text/plain', content: 'Hello' })
    expect((await call(client, 'chat_read_since', {})).messages).toMatchObject([{ content: 'Hello' }])
  },
)

test('[O16] over REST the tools are those of the server orchestrator, and tokens decide who may use them', async () => {
  const hold = { server: 'orchestrator', tool: 'hold_conversation', arguments: { session_id, holder: 'me' } }
  const open = await startHub()
  expect((await post(open.url, hold)).body).toMatchObject({ held: true, holder: 'me' })
  const tokens = 'ada:human:of-ada-0123456789,runner:orchestrator:of-runner-0123456789'
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data: await temporaryFolder(), tokens })
  onTestFinished(hub.close)
  expect((await post(hub.url, hold)).status).toBe(401)
  expect((await post(hub.url, hold, 'of-ada-0123456789')).body).toMatchObject({
    error: 'This is for orchestrator or admin, and ada is human',
  })
  expect((await post(hub.url, hold, 'of-runner-0123456789')).body).toMatchObject({ held: true })
})

async function post(url: string, body: unknown, token?: string) {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/mcp/call`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}
