import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openFolder } from '../../src/export/folder.ts'
import { auditedCalls } from '../../src/governance/audit/calls.ts'
import { eventually } from '../support/eventually.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { askingAgent } from '../support/policy/policy.ts'
import { said, startGateway, untilMount, upstream } from '../support/upstream/gateway.ts'

const limited = (limit: object, decision = 'allow') => ({ rules: [{ id: 'pace', decision, limit }] })
const call = (text: string, more = {}) => ({ name: 'diary_write', arguments: { text, ...more } })
/** However long the call before it took. */
const REFUSED = expect.stringMatching(
  /^Rule pace of the policy lets one agent call diary_write once a day; try again in 86[34]\d\d s$/,
)

test('[G261] a call over the limit of its rule is refused with when to try again, and the audit has it', async () => {
  const { connect, person, written, data, close } = await startGoverned({ policy: limited({ calls: '1 a day' }) })
  const { until } = followed(person)
  const client = await connect()
  expect(await said(client, 'diary_write', { text: 'one' })).toBe('Wrote one')
  const refused = await client.callTool(call('two'))
  expect(refused).toMatchObject({ isError: true, content: [{ text: REFUSED }] })
  expect(await said(client, 'diary_paint', { text: 'other tool' })).toContain('other tool')
  expect(written()).toEqual(['{"text":"one"}', '{"text":"other tool"}'])
  const decided = { decision: 'deny_continue', rule: { id: 'pace' }, reason: REFUSED }
  expect((await until('tool_result', 2)).body).toMatchObject({ success: false, decided })
  await close()
  const folder = await openFolder(data)
  const calls = await Array.fromAsync(auditedCalls(folder.log))
  await folder.close()
  expect(calls[1]).toMatchObject({
    decision: 'deny_continue',
    rule: 'pace',
    reason: REFUSED,
    arguments: '{"text":"two"}',
  })
})

test('[G262] of calls that come at once no more get a place than there are', async () => {
  const { connect, written } = await startGoverned({ policy: limited({ calls: '3 a day' }) })
  const client = await connect()
  const answers = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((text) => client.callTool(call(text))))
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(3)
  expect(written()).toHaveLength(3)
})

test('[G263] a call that a person denies, or that its caller lets go of, takes no place; one that is over is not asked about', async () => {
  const { connect, person, written, ended } = await startGoverned({ policy: limited({ calls: '1 a day' }, 'ask') })
  const { until, entries } = followed(person)
  const client = await connect()
  const denied = client.callTool(call('no'))
  await person.deny((await until('question')).id, 'No')
  await expect(denied).rejects.toThrow('No')
  await ended('diary_write')
  const gone = new AbortController()
  const cancelled = client.callTool(call('gone'), { signal: gone.signal })
  const { id: second } = await until('question', 2)
  gone.abort()
  await expect(cancelled).rejects.toThrow()
  await ended('diary_write')
  await person.deny(second, 'Too late')
  const allowed = client.callTool(call('yes'))
  await person.allow((await until('question', 3)).id, undefined)
  expect(await allowed).toMatchObject({ content: [{ text: 'Wrote yes' }, {}] })
  expect(await client.callTool(call('more'))).toMatchObject({ isError: true, content: [{ text: REFUSED }] })
  expect(entries.filter(({ body }) => body.kind === 'question')).toHaveLength(3)
  expect(written()).toEqual(['{"text":"yes"}'])
})

test('[G262] of two that were asked about only one has the last place, whoever allows both', async () => {
  const { connect, person, written } = await startGoverned({ policy: limited({ calls: '1 a day' }, 'ask') })
  const { until } = followed(person)
  const client = await connect()
  const answers = [client.callTool(call('one')), client.callTool(call('two'))]
  const cards = [await until('question', 1), await until('question', 2)]
  await Promise.all(cards.map(({ id }) => person.allow(id, undefined)))
  const texts = (await Promise.all(answers)).map(({ content }) => (content as { text: string }[])[0]?.text)
  expect(texts.toSorted()).toEqual([REFUSED, expect.stringMatching(/^Wrote (one|two)$/)])
  expect(written()).toHaveLength(1)
})

test('[G264] arguments over their bytes are refused before anybody is asked, and as a person changed them', async () => {
  const { connect, person, written } = await startGoverned({ policy: limited({ arguments: '40 bytes' }, 'ask') })
  const { until, entries } = followed(person)
  const client = await connect()
  const text = 'x'.repeat(40)
  const refused = 'The arguments of diary_write take 51 bytes, and rule pace of the policy allows 40 bytes; send less'
  expect(await client.callTool(call(text))).toMatchObject({ isError: true, content: [{ text: refused }] })
  expect(entries.filter(({ body }) => body.kind === 'question')).toEqual([])
  const changed = client.callTool(call('short'))
  await person.allow((await until('question')).id, JSON.stringify({ text }))
  expect(await changed).toMatchObject({ isError: true, content: [{ text: refused }] })
  expect(written()).toEqual([])
})

test.each(['modern', 'legacy'] as const)('[G265] a result over its bytes is refused (%s client)', async (era) => {
  const { connect, person, written } = await startGoverned({ policy: limited({ result: '2 KB' }) })
  const { until } = followed(person)
  const client = await connect(era)
  const refused =
    'The result of diary_paint takes 45 KB, and rule pace of the policy allows 2 KB; it ran, and you may ask for less'
  expect(await client.callTool({ name: 'diary_paint', arguments: { text: 'a' } })).toMatchObject({
    isError: true,
    content: [{ text: refused }],
  })
  expect((await until('tool_result')).body).toMatchObject({ success: false, result: refused })
  expect(await said(client, 'diary_write', { text: 'b' })).toBe('Wrote b')
  expect(written()).toHaveLength(2)
})

test.each(['modern', 'legacy'] as const)(
  '[G266] a call over its time is cancelled at its server (%s client)',
  async (era) => {
    const pace = { id: 'pace', arguments: { text: 'long' }, decision: 'allow', limit: { time: '1s' } }
    const policy = { rules: [pace, { decision: 'allow' }] }
    const { connect, person, diary } = await startGoverned({ policy })
    const { until } = followed(person)
    const client = await connect(era)
    const refused =
      'diary_write took longer than the 1 s that rule pace of the policy allows, and was cancelled; parts of it may be done'
    expect(await client.callTool(call('long', { hold: true }))).toMatchObject({
      isError: true,
      content: [{ text: refused }],
    })
    expect((await until('tool_result')).body).toMatchObject({ success: false, result: refused })
    await eventually(() => expect(readFileSync(`${diary}.cancelled`, 'utf8')).toBe('long'))
    expect(await said(client, 'diary_write', { text: 'after' })).toBe('Wrote after')
  },
)

test('[G266] so is one whose caller has gone, and what it gives is held to its bytes too', async () => {
  const rules = [
    { id: 'pace', tool: 'write', decision: 'ask', limit: { time: '1s' } },
    { id: 'size', tool: 'paint', decision: 'ask', limit: { result: '2 KB' } },
  ]
  const { connect, person, diary, ended } = await startGoverned({ policy: { rules } })
  const { until } = followed(person)
  const client = await connect()
  for (const [n, wanted] of [call('long', { hold: true }), { name: 'diary_paint', arguments: {} }].entries()) {
    const gone = new AbortController()
    const answer = client.callTool(wanted, { signal: gone.signal })
    const { id } = await until('question', n + 1)
    gone.abort()
    await expect(answer).rejects.toThrow()
    await ended(wanted.name)
    await person.allow(id, undefined)
  }
  const results = [await until('tool_result', 1), await until('tool_result', 2)].map(({ body }) => body.result)
  expect(results.sort()).toEqual([
    expect.stringContaining('The result of diary_paint takes 45 KB'),
    expect.stringContaining('diary_write took longer than the 1 s'),
  ])
  await eventually(() => expect(readFileSync(`${diary}.cancelled`, 'utf8')).toBe('long'))
})

test.each(['modern', 'legacy'] as const)(
  '[G266] the time goes on while its server (%s) waits for an answer of the client',
  async (UPSTREAM_ERA) => {
    const servers = { demo: upstream({ UPSTREAM_ERA }) }
    const { connect, view, gateway } = await startGateway({ servers, policy: limited({ time: '1s' }) })
    await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
    const client = await connect('legacy', { capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler('elicitation/create', () => new Promise(() => {}))
    const refused = 'demo_ask took longer than the 1 s that rule pace of the policy allows'
    expect(await said(client, 'demo_ask')).toContain(refused)
    const { body } = await followed(view).until('tool_result')
    expect(body).toMatchObject({ success: false, result: expect.stringContaining(refused) })
  },
)

test('[G267] what an agent runs itself is asked about where only a rule with a limit would allow it', async () => {
  const { url, person } = await startGoverned({ policy: limited({ calls: '10 a minute' }) })
  const { until } = followed(person)
  const { approve } = await askingAgent(url)
  const answer = approve('Bash', { command: 'ls' })
  await person.allow((await until('question')).id, undefined)
  expect(await answer).toMatchObject({ behavior: 'allow' })
})
