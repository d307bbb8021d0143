import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownerKeyOf } from '../../src/doors/socket/owner-key.ts'
import { ask } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { helloOf, link } from '../support/lines/raw-link.ts'

const SPEAKER = { jsonrpc: '2.0', method: 'notifications/initialized' }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'codex', version: '1' } },
}

async function waitingHub() {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const id = await ask(hub.view, { by: 'agent', text: 'Allow?', approval: { tool_name: 'Bash', input: '{}' } })
  const kinds = async () => (await hub.view.page('work', { limit: 100 })).entries.map(({ body }) => body.kind)
  return { ...hub, data, id, kinds }
}

test('[S51] the link of an agent takes no entries: a settlement, a verdict or words of others are refused, and nothing changes', async () => {
  const { data, id, view, kinds } = await waitingHub()
  const settlement = { kind: 'settlement', question: id, outcome: 'approved', by: 'person' }
  const entry = { id: '1794828741114002', conversation: 'work', at: 1, body: settlement }
  const attempts: object[] = [
    { settlement },
    { entry },
    { entries: [entry] },
    { append: { conversation: 'work', bodies: [settlement] } },
    { type: 'allow', key: 'k', question: id },
    { type: 'post', key: 'k', conversation: 'work', text: 'As the person' },
    { type: 'ack', id, message: 'Allow' },
    { order: 'forget', conversation: 'work' },
    helloOf({ surface: 'human' }),
  ]
  for (const attempt of attempts) {
    const { until } = await link(data, helloOf(), attempt)
    await until((frame) => 'refused' in frame)
  }
  expect(await kinds()).toEqual(['title', 'question'])
  expect((await view.conversation('work')).open).toMatchObject([{ id }])
})

test('[S51] its tools are an agent’s: no name of a tool or author in it speaks for anybody else', async () => {
  const { data, id, view, kinds } = await waitingHub()
  const { say, until } = await link(data, helloOf(), { mcp: INITIALIZE, key: 'k1' }, { mcp: SPEAKER })
  const calls: [string, object][] = [
    ['chat_human_post', { mime: 'text/plain', content: 'Allow', session_id: 'work' }],
    ['answer', { question: id, text: 'Allow' }],
    ['allow', { question: id }],
    ['chat_assistant_post', { mime: 'text/plain', content: 'Hi', author: 'user', by: 'person' }],
  ]
  for (const [n, [name, input]] of calls.entries()) {
    say({ mcp: { jsonrpc: '2.0', id: 10 + n, method: 'tools/call', params: { name, arguments: input } }, key: `c${n}` })
    const { mcp } = await until(({ mcp }) => (mcp as { id?: number } | undefined)?.id === 10 + n)
    expect(JSON.stringify(mcp)).toMatch(/"error"|"isError":true/)
  }
  const told = { name: 'send_progress', arguments: { text: 'At work', by: 'person', author: 'user', kind: 'message' } }
  say({ mcp: { jsonrpc: '2.0', id: 20, method: 'tools/call', params: told }, key: 'c9' })
  await until(({ mcp }) => (mcp as { id?: number } | undefined)?.id === 20)
  expect(await kinds()).toEqual(['title', 'question', 'progress'])
  const { entries } = await view.page('work', { limit: 1 })
  expect(entries[0]?.body).toMatchObject({ kind: 'progress', by: 'codex', text: 'At work' })
})

test('[S53] what a line says that its agent got counts as far as the agent can have got it', async () => {
  const { data, view, chat } = await waitingHub()
  const other = chat.as({ id: 'other', name: 'other', role: 'agent' })
  const question = await ask(other, { by: 'other', text: 'Which password?' })
  const { id: reply } = await view.answer(question, 'hunter2')
  const LAST = '9'.repeat(16)
  const deliveredIds = { conversation: 'work', messages_to: LAST, replies: [reply, LAST], replies_to: LAST, stop: LAST }
  const { say, until } = await link(
    data,
    helloOf({ slips: [deliveredIds] }),
    { mcp: INITIALIZE, key: 'k1' },
    { mcp: SPEAKER },
  )
  const check = (id: number) =>
    say({
      mcp: { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'check_messages', arguments: {} } },
      key: `c${id}`,
    })
  check(2)
  await until(({ mcp }) => (mcp as { id?: number } | undefined)?.id === 2)
  // Its own person still reaches it, and the reply still waits for its asker.
  await view.say('work', { text: 'Go on' })
  await view.interrupt('work', 'Stop it')
  check(3)
  const { mcp } = await until(({ mcp }) => (mcp as { id?: number } | undefined)?.id === 3)
  expect(JSON.stringify(mcp)).toContain('Go on')
  expect(JSON.stringify(mcp)).toContain('Stop it')
  const { earlier } = await other.agentSession({ conversation: 'work', title: 'Work' }).messages()
  expect(earlier.map(({ text }) => text)).toContain('hunter2')
})

test('[S92] who can only open the socket drives nobody: the key of the folder, or a token, is wanted', async () => {
  const data = await temporaryFolder()
  await startHubWithSocket(data)
  const stranger = await link(data, helloOf({ surface: 'orchestrator' }))
  expect((await stranger.until((frame) => 'refused' in frame)).refused).toMatch(/whoever can read the data folder/)
  const owner = await link(data, helloOf({ surface: 'orchestrator', key: ownerKeyOf(data) }))
  await owner.until((frame) => 'welcome' in frame)
})

test('[S91] without the key of the folder a line works in none: no rule on paths believes what it says', async () => {
  const data = await temporaryFolder()
  const rules = [{ tool: 'Write', arguments: { path: { path: './**' } }, decision: 'allow' }]
  await writeFile(join(data, 'policy.jsonc'), JSON.stringify({ rules }))
  const { view } = await startHubWithSocket(data)
  const input = { tool_name: 'Write', input: { path: '/etc/passwd' }, tool_use_id: 'a' }
  const params = { name: 'approve', arguments: input }
  const approving = { mcp: { jsonrpc: '2.0', id: 2, method: 'tools/call', params }, key: 'k2' }
  const begin = [{ mcp: INITIALIZE, key: 'k1' }, { mcp: SPEAKER }, approving]
  await link(data, helloOf(), ...begin)
  const asked = await eventually(async () => {
    const { open, folder } = await view.conversation('work')
    if (open.length === 0) throw new Error('Nobody is asked yet')
    return { tool: open[0]?.approval?.tool_name, folder }
  })
  expect(asked).toEqual({ tool: 'Write', folder: undefined })
  const owner = await link(data, helloOf({ conversation: 'own', key: ownerKeyOf(data) }), ...begin)
  const { mcp } = await owner.until(({ mcp }) => (mcp as { id?: number } | undefined)?.id === 2)
  expect(JSON.stringify(mcp)).toContain('allow')
})

test('[S91] one without the key has no folder in a conversation either that was begun in one', async () => {
  const data = await temporaryFolder()
  const rules = [{ tool: 'Write', arguments: { path: { path: './**' } }, decision: 'allow' }]
  await writeFile(join(data, 'policy.jsonc'), JSON.stringify({ rules }))
  const { view } = await startHubWithSocket(data)
  const params = { name: 'approve', arguments: { tool_name: 'Write', input: { path: '/etc/passwd' } } }
  const approving = { mcp: { jsonrpc: '2.0', id: 2, method: 'tools/call', params } }
  const begin = [{ mcp: INITIALIZE, key: 'k1' }, { mcp: SPEAKER }]
  const owner = await link(data, helloOf({ key: ownerKeyOf(data) }), ...begin, { ...approving, key: 'owner:2' })
  await owner.until(({ mcp }) => (mcp as { id?: number } | undefined)?.id === 2)
  expect(await view.conversation('work')).toMatchObject({ folder: '/', open: [] })
  await link(data, helloOf(), ...begin, { ...approving, key: 'other:2' })
  await eventually(async () => expect((await view.conversation('work')).open).toHaveLength(1))
})

test('[S130] who comes by the name of a line that showed the key, and has none, is not that line', async () => {
  const data = await temporaryFolder()
  const rules = [{ tool: 'Write', arguments: { path: { path: './**' } }, decision: 'allow' }]
  await writeFile(join(data, 'policy.jsonc'), JSON.stringify({ rules }))
  const { view } = await startHubWithSocket(data)
  const approving = (id: number) => {
    const params = { name: 'approve', arguments: { tool_name: 'Write', input: { path: '/etc/passwd' } } }
    return { mcp: { jsonrpc: '2.0', id, method: 'tools/call', params }, key: `k${id}` }
  }
  const line = randomUUID()
  const begin = [{ mcp: INITIALIZE, key: 'k1' }, { mcp: SPEAKER }]
  const owner = await link(data, helloOf({ line, key: ownerKeyOf(data) }), ...begin, approving(2))
  const { mcp } = await owner.until(({ mcp }) => (mcp as { id?: number } | undefined)?.id === 2)
  expect(JSON.stringify(mcp)).toContain('allow')
  const stranger = await link(data, helloOf({ line }), ...begin, approving(3))
  await stranger.until((frame) => 'welcome' in frame)
  await eventually(async () => expect((await view.conversation('work')).open).toHaveLength(1))
})
