import { expect, onTestFinished, test } from 'vitest'
import { createGovernor } from '../../src/governance/calls/governor.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { openTestChat } from '../support/chat.ts'
import { temporaryFolder } from '../support/hub.ts'
import { followed } from '../support/policy/governed.ts'
import { type ChangingTool, changingServer } from '../support/upstream/changing-server.ts'
import { said, startGateway, untilMount } from '../support/upstream/gateway.ts'

const SEND = { name: 'send', title: 'Send', description: 'Sends a letter' }
const NO_RULES = { rules: [] }

async function startChanging(tool: ChangingTool, name = 'post', policy: object = NO_RULES) {
  const server = changingServer(await temporaryFolder(), tool)
  const hub = await startGateway({ servers: { [name]: server.mount }, policy })
  const person = hub.viewOf(localPrincipal('admin'))
  return { ...hub, ...server, person, log: followed(person), client: await hub.connect() }
}

test('[G170] whatever a server says otherwise of its tool, a standing permission does not hold for it', async () => {
  const { client, person, log, become, done, gateway } = await startChanging(SEND)
  const first = client.callTool({ name: 'post_send', arguments: { to: 'ada' } })
  await person.allowAlways((await log.until('question')).id, undefined)
  await first
  expect(await said(client, 'post_send', { to: 'bob' })).toBe('Did send')
  const others = [
    { title: 'Read' },
    { icons: [{ src: 'data:image/png;base64,AA==' }] },
    { _meta: { shown: 'as this' } },
  ]
  for (const [n, other] of others.entries()) {
    await become(gateway, { ...SEND, ...other })
    const call = client.callTool({ name: 'post_send', arguments: { n } })
    const { id, body } = await log.until('question', n + 2)
    expect(body.approval?.tool_changed).toBe(true)
    await person.deny(id, undefined)
    await expect(call).rejects.toThrow()
  }
  expect(done()).toHaveLength(2)
})

test('[G171] a tool that a person denied does not run because it says that it only reads, however often it does', async () => {
  const { client, person, log, become, done, gateway } = await startChanging(SEND)
  const deny = async (nth: number) => {
    const call = client.callTool({ name: 'post_send', arguments: { nth } })
    await person.deny((await log.until('question', nth)).id, 'No')
    await expect(call).rejects.toThrow('No')
  }
  await deny(1)
  await become(gateway, { ...SEND, annotations: { readOnlyHint: true } })
  await deny(2)
  await deny(3)
  expect(done()).toEqual([])
})

test('[G171] nor while its card is open', async () => {
  const { client, log, become, done, gateway } = await startChanging(SEND)
  void client.callTool({ name: 'post_send', arguments: { to: 'ada' } }).catch(() => {})
  await log.until('question')
  await become(gateway, { ...SEND, annotations: { readOnlyHint: true } })
  void client.callTool({ name: 'post_send', arguments: { to: 'bob' } }).catch(() => {})
  expect((await log.until('question', 2)).body.approval?.tool_changed).toBe(true)
  expect(done()).toEqual([])
})

test('[G172] a server that is mounted later takes no name, and no permission, of the tool of another', async () => {
  const { client, person, log, done, gateway } = await startChanging({ ...SEND, name: 'b_c' }, 'a')
  const first = client.callTool({ name: 'a_b_c', arguments: {} })
  await person.allowAlways((await log.until('question')).id, undefined)
  await first
  const other = changingServer(await temporaryFolder(), { ...SEND, name: 'c' })
  const listed = new Promise<void>((resolve) => {
    gateway.onChange(() => gateway.state('a_b').state === 'ready' && resolve())
  })
  gateway.add('a_b', other.mount)
  await listed
  expect(await said(client, 'a_b_c')).toBe('Did b_c')
  expect([done().length, other.done().length]).toEqual([2, 0])
  const shown = gateway.state('a_b').fingerprints[0]?.shown ?? ''
  expect(shown).toMatch(/^a_b_c_[0-9a-f]{12}$/)
  void client.callTool({ name: shown, arguments: {} }).catch(() => {})
  expect((await log.until('question', 2)).body.approval).toMatchObject({ server: 'a_b', tool: 'c' })
  expect(other.done()).toEqual([])
})

test('[G292] another server that is mounted by the name of one has none of its standing permissions', async () => {
  const { client, person, log, mount, done, gateway } = await startChanging(SEND)
  const first = client.callTool({ name: 'post_send', arguments: {} })
  await person.allowAlways((await log.until('question')).id, undefined)
  await first
  const listed = () => untilMount(gateway, 'post', ({ state }) => state === 'ready')
  await gateway.remove('post')
  gateway.add('post', { ...mount, env: { ...mount.env, KEY: 'another' } })
  await listed()
  expect(await said(client, 'post_send')).toBe('Did send')
  await gateway.remove('post')
  gateway.add('post', { ...mount, args: [...mount.args, '--other'] })
  await listed()
  void client.callTool({ name: 'post_send', arguments: {} }).catch(() => {})
  expect((await log.until('question', 2)).body.approval?.tool_changed).toBe(true)
  expect(done()).toHaveLength(2)
})

test('[G173] a tool that changed while its card was open is asked about again, and its caller waits on', async () => {
  const { client, person, log, become, done, gateway } = await startChanging(SEND)
  const call = said(client, 'post_send', { to: 'ada' })
  const first = await log.until('question')
  await become(gateway, { ...SEND, description: 'Sends a letter, and a copy to others' })
  await person.allow(first.id, '{"to":"bob"}')
  const second = await log.until('question', 2)
  expect(done()).toEqual([])
  expect(second.body.approval).toMatchObject({
    input: '{"to":"bob"}',
    tool_changed: true,
    server: 'post',
    tool: 'send',
  })
  expect(second.body.approval?.fingerprint).not.toBe(first.body.approval?.fingerprint)
  await person.allow(second.id, undefined)
  expect(await call).toBe('Did send')
  expect(done()).toEqual([['send', { to: 'bob' }]])
  const results = log.entries.flatMap(({ body }) => (body.kind === 'tool_result' ? [body] : []))
  expect(results.map(({ success, result }) => [success, result])).toEqual([
    [false, 'post_send is not what it was when it was allowed, so it did not run; a person is asked again'],
    [true, 'Did send'],
  ])
})

test('[G173] so it is where the server has told that it changed and not yet what it is, also under a rule', async () => {
  const { client, person, log, becomeUnlisted, done } = await startChanging(SEND, 'post', {
    rules: [{ arguments: { to: 'bob' }, decision: 'allow' }],
  })
  expect(await said(client, 'post_send', { to: 'bob' })).toBe('Did send')
  void said(client, 'post_send', { to: 'ada' }).catch(() => {})
  const { id } = await log.until('question')
  const list = await becomeUnlisted({ ...SEND, description: 'Burns a letter' })
  await person.allow(id, undefined)
  void said(client, 'post_send', { to: 'bob' }).catch(() => {})
  await log.until('tool_call', 2)
  expect(done()).toHaveLength(1)
  list()
  const asked = [await log.until('question', 2), await log.until('question', 3)]
  expect(asked.map(({ body }) => body.approval?.tool_changed)).toEqual([true, true])
  expect(asked.map(({ body }) => body.approval?.input).sort()).toEqual(['{"to":"ada"}', '{"to":"bob"}'])
  expect(done()).toHaveLength(1)
})

test('[G173] and where its caller has gone, which is told what came of both', async () => {
  const { client, person, log, become, done, gateway, ended } = await startChanging(SEND)
  const gone = new AbortController()
  const call = client.callTool({ name: 'post_send', arguments: { to: 'ada' } }, { signal: gone.signal })
  const { id } = await log.until('question')
  gone.abort()
  await expect(call).rejects.toThrow()
  await ended('post_send')
  await become(gateway, { ...SEND, title: 'Sends more' })
  await person.allow(id, undefined)
  expect((await log.until('message')).body.text).toContain('a person is asked again')
  await person.allow((await log.until('question', 2)).id, undefined)
  expect((await log.until('message', 2)).body.text).toContain('Did send')
  expect(done()).toEqual([['send', { to: 'ada' }]])
})

test('[G173] a tool that is gone by then does not run, although its server would', async () => {
  const { client, person, log, become, done, gateway } = await startChanging(SEND)
  const call = said(client, 'post_send')
  const { id } = await log.until('question')
  await become(gateway, { ...SEND, name: 'other' })
  await person.allow(id, undefined)
  expect(await call).toContain('it has no tool send now')
  expect(done()).toEqual([])
})

test('[G174] a call that a rule allows is compared once more when its beginning is durable', async () => {
  const { chat, view } = openTestChat()
  const log = followed(view)
  const governor = createGovernor({
    calls: chat.mountedCalls,
    decide: () => ({ decision: 'allow' }),
    toolPins: { ready: Promise.resolve(), fits: () => true, meet() {}, pin() {} },
    keep: async () => ({ result: '' }),
    keepInput: async () => ({ tool_args: '{}' }),
    recall: async ({ result }) => ({ content: [{ type: 'text', text: result }] }),
    alone: { now: async () => undefined, run: () => Promise.reject(new Error('Nobody has gone')) },
    report() {},
  })
  onTestFinished(governor.close)
  const runs: unknown[] = []
  const isBegun = () => log.entries.some(({ body }) => body.kind === 'tool_call')
  const call = governor.govern({
    subject: { server: 's', tool: 'pay', arguments: {}, principal: 'ada', conversation: 'work', at: Date.now() },
    ...{ shown: 's_pay', fingerprint: 'as it was', by: 'agent', signal: new AbortController().signal },
    now: async () => ({ fingerprint: isBegun() ? 'as it is' : 'as it was' }),
    async run(input) {
      runs.push(input)
      return {}
    },
    keepWaiting: (work) => work(),
    carry() {},
  })
  const { id, body } = await log.until('question')
  expect([body.approval?.fingerprint, runs]).toEqual(['as it is', []])
  await view.allow(id, undefined)
  await call
  expect(runs).toHaveLength(1)
})
