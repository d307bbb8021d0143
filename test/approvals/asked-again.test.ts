import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { acpDriver } from '../../src/agents/acp/driver.ts'
import { policyPath } from '../../src/governance/policy/file/policy-file.ts'
import { ask } from '../support/chat.ts'
import { startDriven } from '../support/driven/driven.ts'
import { SCRIPTED } from '../support/driven/driven-agent.ts'
import { eventually } from '../support/eventually.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { askingAgent, bodiesIn, folderWithPolicy, hubWithPolicy, opened } from '../support/policy/policy.ts'

const KEEP = { id: 'keep', arguments: { '*': '*rm *' }, decision: 'deny_continue', reason: 'Nothing is deleted here' }
const WORDS = 'Allowed by person, but rule keep of the policy forbids it: Nothing is deleted here'
const STOP = { id: 'stop', decision: 'deny_abort' }

interface Ruled {
  policy: { rules(): readonly unknown[] }
}

/** Rules that count from now on. */
async function rule({ policy }: Ruled, data: string, ...rules: object[]) {
  writeFileSync(policyPath(data), JSON.stringify({ rules }))
  await eventually(() => expect(policy.rules()).toMatchObject(rules.map(({ id }: { id?: string }) => ({ id }))))
}

test('[G154] an edit into what a rule denies is denied, and everybody is told by which rule', async () => {
  const { url, view } = await hubWithPolicy(KEEP)
  const { approve } = await askingAgent(url)
  const call = approve('Bash', { command: 'ls' })
  const { id = '' } = (await opened(view))[0] ?? {}
  const settled = await view.allowAlways(id, '{"command":"rm -r notes"}', 'a key')
  expect(settled.body).toEqual({
    kind: 'settlement',
    question: id,
    by: 'policy',
    outcome: 'denied',
    reason: WORDS,
    input: '{"command":"rm -r notes"}',
    decided: expect.objectContaining({ decision: 'deny_continue', rule: expect.objectContaining({ id: 'keep' }) }),
  })
  expect(await call).toEqual({ behavior: 'deny', message: WORDS })
  // Made again it is the same, and nothing is allowed for good.
  expect(await view.allowAlways(id, '{"command":"rm -r notes"}', 'a key')).toEqual(settled)
  expect((await view.conversation('work')).always).toBeUndefined()
})

test('[G154] a card that is older than a rule that denies is denied however it is allowed', async () => {
  const hub = await hubWithPolicy()
  const { view, data, text } = hub
  const want = (tool_name: string) =>
    ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name, input: '{"command":"rm x"}' } })
  const ids = [await want('One'), await want('Two'), await want('Three'), await want('Four')]
  const [first = '', second = '', third = '', fourth = ''] = ids
  await rule(hub, data, KEEP)
  const before = text()
  const denied = { body: { outcome: 'denied', by: 'policy', reason: WORDS } }
  expect(await view.allow(first, undefined)).toMatchObject(denied)
  expect(await view.answer(second, 'Allow')).toMatchObject(denied)
  expect(await view.allowAlways(third, undefined)).toMatchObject(denied)
  expect(await view.allowByRule(fourth, undefined, 'everyone')).toMatchObject(denied)
  expect(text()).toBe(before)
})

test('[G154] along with what a rule denies nothing else is allowed, though a person allowed it always', async () => {
  const hub = await hubWithPolicy()
  const { view, data } = hub
  const want = (command: string) =>
    ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name: 'Bash', input: JSON.stringify({ command }) } })
  const [denied, other] = [await want('git push'), await want('git push -v')]
  await rule(hub, data, { ...KEEP, arguments: { command: 'git push' } })
  expect(await view.allowAlways(denied, undefined)).toMatchObject({ body: { outcome: 'denied', by: 'policy' } })
  expect((await view.conversation('work')).open.map(({ id }) => id)).toEqual([other])
})

test('[G154] what is allowed along with another call is not, where a rule denies it', async () => {
  const hub = await hubWithPolicy()
  const { view, data } = hub
  const want = (command: string) =>
    ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name: 'Bash', input: JSON.stringify({ command }) } })
  const [first, second, third] = [await want('git push'), await want('git push -f'), await want('git push -v')]
  await rule(hub, data, { ...KEEP, arguments: { command: '*-f' } })
  await view.allowAlways(first, undefined)
  expect((await view.conversation('work')).open.map(({ id }) => id)).toEqual([second])
  expect((await bodiesIn(view)).filter((body) => body.kind === 'settlement')).toMatchObject([
    { question: third, outcome: 'approved' },
    { question: first, outcome: 'approved' },
  ])
})

test('[G154] a rule that ends the turn ends it also then', async () => {
  const hub = await hubWithPolicy()
  const { approve } = await askingAgent(hub.url)
  const call = approve('Bash', { command: 'ls' })
  const [asked] = await opened(hub.view)
  await rule(hub, hub.data, STOP)
  await hub.view.allow(asked?.id ?? '', undefined)
  const reason = 'Allowed by person, but rule stop of the policy forbids it'
  expect(await call).toEqual({
    behavior: 'deny',
    message: `This call is not allowed, and you must stop: ${reason}`,
    interrupt: true,
  })
})

test.each([
  ['deny_continue', 'do permission', 'ended'],
  ['deny_abort', 'do permission\ndo slow 10000', 'cancelled'],
])('[G154] an agent that is driven is not allowed what a rule denies by now (%s)', async (decision, text, outcome) => {
  const data = await folderWithPolicy([])
  const { view, watch, hub } = await startDriven({ driver: acpDriver({ command: SCRIPTED }) }, data)
  await view.say('work', { text })
  await watch.until('question')
  const { id = '' } = watch.seen.find(({ body }) => body.kind === 'question') ?? {}
  await rule(hub, data, { id: 'late', decision })
  expect((await view.allow(id, undefined)).body).toMatchObject({ outcome: 'denied', by: 'policy' })
  expect(await watch.until('turn')).toMatchObject([{ outcome }])
  const said = watch.bodies('message').filter(({ author }) => author === 'assistant')
  expect(said.map(({ text }) => text).join('')).not.toContain('yes')
})

test('[G155] a mounted tool does not run where the arguments that a person changed are denied', async () => {
  const { connect, person, written } = await startGoverned({ policy: { rules: [KEEP] } })
  const { until } = followed(person)
  const call = (await connect()).callTool({ name: 'diary_write', arguments: { text: 'one' } })
  const asserted = expect(call).rejects.toMatchObject({ code: -32951, message: expect.stringContaining(WORDS) })
  await person.allow((await until('question')).id, '{"list":[{"text":"rm -r"}]}')
  await asserted
  expect((await until('tool_result')).body).toMatchObject({ decided: { rule: { id: 'keep' }, reason: WORDS } })
  expect(written()).toEqual([])
})

test('[G155] nor where a rule is newer than its card, whether its caller is there or has gone', async () => {
  const hub = await startGoverned()
  const { connect, person, written, data } = hub
  const { until } = followed(person)
  const [one, two] = [await connect(), await connect('modern', { path: '/mcp/gateway?session=other' })]
  const there = one.callTool({ name: 'diary_write', arguments: { text: 'one' } })
  const asserted = expect(there).rejects.toMatchObject({ code: -32950 })
  const first = await until('question')
  const gone = new AbortController()
  const left = two.callTool({ name: 'diary_write', arguments: { text: 'two' } }, { signal: gone.signal })
  const second = await until('question', 2)
  gone.abort()
  await expect(left).rejects.toThrow()
  await hub.ended('diary_write')
  await rule(hub, data, STOP)
  for (const { id } of [first, second])
    expect((await person.allow(id, undefined)).body).toMatchObject({ outcome: 'denied', by: 'policy' })
  await asserted
  expect((await until('tool_result', 2)).body).toMatchObject({ success: false, decided: { rule: { id: 'stop' } } })
  expect(written()).toEqual([])
})

test('[G155] also a rule about what is masked on the card counts when it would run', async () => {
  const hub = await startGoverned()
  const { connect, person, written, data } = hub
  const { until } = followed(person)
  const call = (await connect()).callTool({ name: 'diary_write', arguments: { text: 'one', password: 'hunter2' } })
  const asserted = expect(call).rejects.toMatchObject({
    message: expect.stringContaining('Allowed by person, but rule'),
  })
  const { id } = await until('question')
  await rule(hub, data, { id: 'secret', arguments: { password: 'hunter*' }, decision: 'deny_continue' })
  await person.allow(id, undefined)
  await asserted
  expect((await until('tool_result')).body).toMatchObject({ success: false, decided: { rule: { id: 'secret' } } })
  expect(JSON.stringify((await until('tool_call')).body)).not.toContain('hunter2')
  expect(written()).toEqual([])
})

test('[G285] the rules see what is masked on a card, also where it is changed, always allowed or allowed along', async () => {
  const hub = await hubWithPolicy()
  const { view, data, text } = hub
  const { approve } = await askingAgent(hub.url)
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const calls = [1, 2, 3, 4].map((n) => approve('Send', { text: `Bearer ${secret}`, n }))
  const waiting = await opened(view, 4)
  expect(JSON.stringify(waiting)).not.toContain(secret)
  await rule(hub, data, { id: 'keep', arguments: { '*': '*ghp_*' }, decision: 'deny_continue' })
  const before = text()
  const [first, second, third] = waiting.map(({ id }) => id)
  const denied = { body: { outcome: 'denied', by: 'policy', decided: { rule: { id: 'keep' } } } }
  expect(await view.allow(first ?? '', undefined)).toMatchObject(denied)
  expect(await view.allow(second ?? '', '{"text":"Bearer [masked]","n":5}')).toMatchObject(denied)
  expect(await view.allowByRule(third ?? '', undefined, 'everyone')).toMatchObject(denied)
  expect(text()).toBe(before)
  const plain = approve('Send', { text: 'Hello' })
  const open = await opened(view, 2)
  expect(await view.allowAlways(open.at(-1)?.id ?? '', undefined)).toMatchObject({ body: { outcome: 'approved' } })
  expect(await plain).toMatchObject({ behavior: 'allow' })
  expect((await opened(view)).map(({ approval }) => approval?.masked)).toEqual([1])
  await view.deny((await opened(view))[0]?.id ?? '', 'No')
  expect((await Promise.all(calls)).map(({ behavior }) => behavior)).toEqual(Array(4).fill('deny'))
})
