import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import type { Era } from '../support/agent.ts'
import { ask, until } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { openTestHub, startHub, temporaryFolder, viewOf } from '../support/hub.ts'
import { openSurfaces, ROBOT } from '../support/mcp/surfaces.ts'
import { connect, connectPage } from '../support/socket.ts'

/** The one text that `approve` answers with. */
async function approve(agent: Client, tool_name: string, input: object, tool_use_id?: string) {
  const result = await agent.callTool({ name: 'approve', arguments: { tool_name, input, tool_use_id } })
  expect(result.content).toHaveLength(1)
  return JSON.parse((result.content as { text: string }[])[0]?.text ?? '')
}

async function agentAt(url: string, name = 'test-agent'): Promise<Client> {
  const client = new Client({ name, version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/agent?session=work`)))
  onTestFinished(() => client.close())
  return client
}

/** The first open question of the conversation, once there is one. */
async function asked(view: View, conversation = 'work'): Promise<string> {
  return eventually(async () => {
    const [open] = (await view.conversation(conversation)).open
    if (!open) throw new Error('Nothing is open')
    return open.id
  })
}

async function grantBash(view: View, agent: Client) {
  const first = approve(agent, 'Bash', { path: 'ls' })
  await view.allowAlways(await asked(view), undefined)
  expect(await first).toEqual({ behavior: 'allow', updatedInput: { path: 'ls' } })
}

async function kinds(view: View) {
  return (await view.page('work', { limit: 100 })).entries.map(({ body }) => body.kind)
}

test.each<Era>(['legacy', 'modern'])(
  '[A15] the next call of the tool is allowed at once, as it is (%s)',
  async (era) => {
    const { view, connect } = openSurfaces()
    const agent = await connect('/mcp/agent', { ...ROBOT, conversation: 'work' }, era)
    await grantBash(view, agent)
    const input = { path: 'rm -r build', nested: { deep: [1, '2'] } }
    expect(await approve(agent, 'Bash', input, 'toolu_1')).toEqual({ behavior: 'allow', updatedInput: input })
    // The same call asked again is the same call, also once the tool is asked about again.
    await view.revoke('work', 'Bash')
    expect(await approve(agent, 'Bash', input, 'toolu_1')).toEqual({ behavior: 'allow', updatedInput: input })
    expect(await kinds(view)).toEqual(['title', 'question', 'settlement', 'permitted_call', 'revocation'])
  },
)

test('[A14] another tool, and the same tool in another conversation, are asked about', async () => {
  const { view, connect } = openSurfaces()
  const [agent, other] = await Promise.all(
    ['work', 'other'].map((conversation) => connect('/mcp/agent', { ...ROBOT, conversation })),
  )
  if (!agent || !other) throw new Error('There are two agents')
  await grantBash(view, agent)
  const calls = [approve(agent, 'Write', {}), approve(other, 'Bash', { path: 'ls' })]
  await view.deny(await asked(view), 'Not this file')
  await view.deny(await asked(view, 'other'), 'Not here')
  expect(await Promise.all(calls)).toEqual([
    { behavior: 'deny', message: 'Not this file' },
    { behavior: 'deny', message: 'Not here' },
  ])
})

test('[A17] of calls at the same time each is allowed as it is, those that wait and those that come', async () => {
  const { view, connect } = openSurfaces()
  const agent = await connect('/mcp/agent', { ...ROBOT, conversation: 'work' }, 'modern')
  const inputs = Array.from({ length: 6 }, (_, n) => ({ path: `echo ${n}` }))
  const waiting = inputs.slice(0, 3).map((input) => approve(agent, 'Bash', input))
  await until(async () => (await view.conversation('work')).open.length >= 3)
  await view.allowAlways(await asked(view), '{"path":"changed"}')
  const coming = inputs.slice(3).map((input) => approve(agent, 'Bash', input))
  const allowed = await Promise.all([...waiting, ...coming])
  expect(allowed.map(({ updatedInput }) => updatedInput)).toEqual([{ path: 'changed' }, ...inputs.slice(1)])
  expect((await view.conversation('work')).open).toEqual([])
})

test('[A21] it holds after a restart of the hub, until it is taken back there', async () => {
  const data = await temporaryFolder()
  const before = await openTestHub({ host: '127.0.0.1', port: 0, data })
  await grantBash(viewOf(before), await agentAt(before.url))
  await before.close()
  const { view, url } = await startHub(data)
  const agent = await agentAt(url)
  expect(await approve(agent, 'Bash', { path: 'pwd' })).toEqual({
    behavior: 'allow',
    updatedInput: { path: 'pwd' },
  })
  await view.revoke('work', 'Bash')
  const again = approve(agent, 'Bash', { path: 'pwd' })
  await view.deny(await asked(view), 'Asked again')
  expect(await again).toEqual({ behavior: 'deny', message: 'Asked again' })
})

test('[A15] a stop is stronger: an agent that has not heard it yet is allowed nothing', async () => {
  const { view, connect } = openSurfaces()
  const agent = await connect('/mcp/agent', { ...ROBOT, conversation: 'work' }, 'modern')
  await grantBash(view, agent)
  await view.interrupt('work', 'Stop')
  expect(await approve(agent, 'Bash', { path: 'rm' })).toMatchObject({ behavior: 'deny' })
  expect(await kinds(view)).not.toContain('permitted_call')
})

test('[A14] [A19] pages are told of it, by its command and in the conversation; only the page can, and only there', async () => {
  const { view, url } = await startHub()
  const approval = { tool_name: 'Bash', input: '{}' }
  const id = await ask(view, { by: 'agent', text: 'Allow?', approval })
  await view.say('other', { text: 'Hello' })
  const [page, other] = [await connectPage(url), await connectPage(url)]
  const narrow = await connect(url, '/ws?dialect=timeline&session=other')
  narrow.say({ type: 'hello' })
  await narrow.next('welcome')
  narrow.say({ type: 'allow', key: 'a', question: id, always: true })
  expect(await narrow.next('refused')).toMatchObject({ code: 'unknown_question' })
  narrow.say({ type: 'revoke', key: 'b', conversation: 'work', tool_name: 'Bash' })
  expect(await narrow.next('refused')).toMatchObject({ code: 'unknown_conversation' })
  for (const always of [false, 'yes', 1]) {
    page.say({ type: 'allow', key: 'c', question: id, always })
    expect(await page.next('refused')).toMatchObject({ key: 'c', error: '"always" must be true' })
  }
  page.say({ type: 'allow', key: 'd', question: id, always: true })
  const granted = await page.next('accepted')
  expect(await other.next('entries')).toMatchObject({ entries: [{ id: granted.id, body: { always: 'granted' } }] })
  const always = [{ tool_name: 'Bash', by: 'person', since: granted.id }]
  expect((await connectPage(url)).welcome.conversations).toMatchObject([{ id: 'work', always }, { id: 'other' }])
  page.say({ type: 'revoke', key: 'e', conversation: 'work', tool_name: 'Bash' })
  await page.next('accepted')
  page.say({ type: 'revoke', key: 'f', conversation: 'work', tool_name: 'Bash' })
  expect(await page.next('refused')).toMatchObject({ code: 'not_always_allowed' })
  expect(await other.next('entries')).toMatchObject({ entries: [{ body: { kind: 'revocation', tool_name: 'Bash' } }] })
})

test.each(['bridge', 'loop', 'router'])(
  '[A22] the %s dialect shows the question that was asked, and no call that was not',
  async (dialect) => {
    const { view, url } = await startHub()
    const want = (input: string) =>
      ask(view, { by: 'agent', text: `Allow ${input}?`, approval: { tool_name: 'Bash', input } })
    const client = await connect(url, `/ws?dialect=${dialect}&session=work`)
    await view.allowAlways(await want('{"n":1}'), undefined)
    await want('{"n":2}')
    await view.revoke('work', 'Bash')
    await want('{"n":3}')
    await eventually(() => expect(JSON.stringify(client.frames)).toMatch(/n\\+": 3/))
    const asked = client.frames.filter(({ type }) => type !== 'connected' && type !== 'question_closed')
    const told = asked.map((frame) => JSON.stringify(frame))
    expect(told.map((frame) => /n\\+": (\d)/.exec(frame)?.[1])).toEqual(['1', '3'])
  },
)

test('[A53] without tokens it is for the agent of the name that the person was shown, and for no other there', async () => {
  const { view, url } = await startHub()
  await grantBash(view, await agentAt(url))
  for (const name of ['codex', 'Test-Agent', 'test\u200b-agent']) {
    const other = await agentAt(url, name)
    const call = approve(other, 'Bash', { path: name })
    await view.deny(await asked(view), 'Not you')
    expect(await call).toEqual({ behavior: 'deny', message: 'Not you' })
  }
  expect(await approve(await agentAt(url), 'Bash', { path: 'pwd' })).toMatchObject({ behavior: 'allow' })
  expect((await view.conversation('work')).always).toMatchObject([{ asker: 'local:agent', agent: 'test-agent' }])
})

test('[A53] calls of others that wait are not allowed along with it', async () => {
  const { view, url } = await startHub()
  const [own, other] = [approve(await agentAt(url), 'Bash', {}), approve(await agentAt(url, 'codex'), 'Bash', {})]
  await until(async () => (await view.conversation('work')).open.length >= 2)
  const { open } = await view.conversation('work')
  await view.allowAlways(open.find(({ by }) => by === 'test-agent')?.id ?? '', undefined)
  expect(await own).toMatchObject({ behavior: 'allow' })
  await view.deny(await asked(view), 'Not you')
  expect(await other).toEqual({ behavior: 'deny', message: 'Not you' })
})
