import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { policyPath } from '../../src/governance/policy/file/policy-file.ts'
import type { ShownGrant, ShownPolicy } from '../../src/protocol/tools/policy.ts'
import { ask } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { viewOf } from '../support/hub.ts'
import { linesOf, verified } from '../support/policy/audited.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { bodiesIn, hubWithPolicy, opened } from '../support/policy/policy.ts'
import { startParley } from '../support/process.ts'
import { connectPage } from '../support/socket.ts'
import { said } from '../support/upstream/gateway.ts'

/** As the page calls it. */
async function manage(url: string, tool: string, input: object = {}, token?: string) {
  const response = await fetch(`${url}/api/mcp/call`, {
    method: 'POST',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    body: JSON.stringify({ server: 'gateway', tool, arguments: input }),
  })
  const answer = (await response.json()) as { error?: string }
  if (!response.ok) throw new Error(answer.error)
  return answer
}

const rulesAt = async (url: string) => ((await manage(url, 'policy_show')) as ShownPolicy).rules
const grantsAt = async (url: string) => ((await manage(url, 'grant_list')) as { grants: ShownGrant[] }).grants
async function switchRule(url: string, id: string, on: boolean) {
  const rule = (await rulesAt(url)).find((rule) => rule.id === id)?.identity
  return manage(url, 'policy_switch', { rule, on })
}

const write = (text: string) => ({ name: 'diary_write', arguments: { text } })
const bash = { tool_name: 'Bash', input: '{"command":"ls"}' }

test('[G270] each rule tells how often it decided and when last, also after a restart', async () => {
  const policy = { rules: [{ id: 'pen', server: 'diary', tool: 'write', decision: 'allow' }, { decision: 'ask' }] }
  const first = await startGoverned({ policy })
  const client = await first.connect()
  for (const text of ['one', 'two']) await said(client, 'diary_write', { text })
  const asked = client.callTool({ name: 'diary_become', arguments: {} })
  const { id } = await followed(first.person).until('question')
  const counted = [
    { id: 'pen', count: 2, last: expect.any(Number) },
    { id: '#2', count: 1 },
  ]
  expect(await rulesAt(first.url)).toMatchObject(counted)
  await first.person.deny(id, 'No')
  await expect(asked).rejects.toThrow()
  await first.close()
  const second = await startGoverned({ policy, data: first.data })
  await eventually(async () => expect(await rulesAt(second.url)).toMatchObject(counted))
})

test('[G271] rules tell who allowed what they allow, when and where, and how often what is always allowed was used', async () => {
  const { url, view } = await hubWithPolicy({ id: 'mine', decision: 'ask' })
  await view.allowByRule(await ask(view, { by: 'codex', text: 'Allow?', approval: bash }), undefined, 'everyone')
  await ask(view, { by: 'codex', text: 'Allow?', approval: bash })
  const [made, mine] = await rulesAt(url)
  expect(made).toMatchObject({ by: 'person', on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), conversation: 'work' })
  expect(made).toMatchObject({ decision: 'allow', count: 1 })
  expect(mine).toMatchObject({ id: 'mine', count: 1 })
  expect(mine?.by).toBeUndefined()
})

test('[G272] a rule that is switched off decides nothing, on again it decides, and comments stay', async () => {
  const { url, path, policy, text } = await hubWithPolicy({ id: 'never', server: 'mail', decision: 'deny_abort' })
  writeFileSync(path, `// Mine.\n${text()}`)
  await eventually(async () => expect((await rulesAt(url))[0]?.line).toBeGreaterThan(3))
  const before = text()
  const call = { server: 'mail', tool: 'send', arguments: {}, principal: 'codex', at: 0 }
  await switchRule(url, 'never', false)
  expect(policy.decide(call).rule).toBeUndefined()
  expect(policy.news()).toEqual({ rules: 0 })
  expect(await rulesAt(url)).toMatchObject([{ id: 'never', off: true }])
  expect(text()).toMatch(/^\/\/ Mine\.\n/)
  await switchRule(url, 'never', true)
  expect(policy.decide(call).decision).toBe('deny_abort')
  expect(text()).toBe(before)
})

test('[G273] what became a rule is taken back, what was written by hand is not', async () => {
  const { url, view, text } = await hubWithPolicy({ id: 'mine', decision: 'ask' })
  const before = text()
  await view.allowByRule(await ask(view, { by: 'codex', text: 'Allow?', approval: bash }), undefined, 'agent')
  const [made, mine] = await rulesAt(url)
  await expect(manage(url, 'policy_take_back', { rule: mine?.identity })).rejects.toThrow('was written by hand')
  await manage(url, 'policy_take_back', { rule: made?.identity })
  expect(text()).toBe(before)
  await expect(manage(url, 'policy_take_back', { rule: made?.identity })).rejects.toThrow('no longer in the policy')
  await ask(view, { by: 'codex', text: 'Allow?', approval: bash })
  expect((await bodiesIn(view)).at(-1)).toMatchObject({ kind: 'question' })
})

test('[G273] always once more switches the rule on that is off, and writes no other', async () => {
  const { url, view, text } = await hubWithPolicy({ id: 'mine', decision: 'ask' })
  const allow = async () =>
    view.allowByRule(await ask(view, { by: 'codex', text: 'Allow?', approval: bash }), undefined, 'agent')
  await allow()
  const before = text()
  await switchRule(url, '#1', false)
  await allow()
  expect(text()).toBe(before)
})

test('[G275] a rule that is switched on settles the cards that it is about', async () => {
  const policy = {
    rules: [
      { id: 'pen', server: 'diary', tool: 'write', off: true, decision: 'allow' },
      { id: 'no', server: 'diary', tool: 'become', off: true, decision: 'deny_continue', reason: 'Stay' },
      { id: 'own', server: 'agent', off: true, decision: 'allow' },
    ],
  }
  const { url, connect, person, written } = await startGoverned({ policy })
  const { until } = followed(person)
  const client = await connect()
  const [wrote, became] = [client.callTool(write('one')), client.callTool({ name: 'diary_become', arguments: {} })]
  became.catch(() => {})
  await until('question', 2)
  const options = [
    { id: 'a', label: 'Yes', kind: 'allow_once' },
    { id: 'b', label: 'No', kind: 'reject_once' },
  ] as const
  await ask(person, { by: 'codex', text: 'Allow?', approval: bash })
  await ask(person, { by: 'codex', text: 'Allow?', approval: { ...bash, options: [...options] } })
  const masked = { tool_name: 'Bash', input: '{"command":"ls","password":"hunter2hunter2"}' }
  await ask(person, { by: 'codex', text: 'Allow?', approval: masked })
  await opened(person, 3)
  await switchRule(url, 'pen', true)
  expect(await wrote).toMatchObject({ content: [{ text: 'Wrote one' }] })
  await switchRule(url, 'no', true)
  await expect(became).rejects.toThrow('Stay')
  await switchRule(url, 'own', true)
  // Among options a person chooses, and what is masked may be anything.
  expect((await opened(person, 2)).map(({ approval }) => approval)).toMatchObject([{ options }, { masked: 1 }])
  const settled = (await bodiesIn(person, 'chat')).filter(({ kind }) => kind === 'settlement')
  expect(settled).toMatchObject([
    { outcome: 'approved', by: 'policy', decided: { decision: 'allow', rule: { id: 'pen' } } },
    { outcome: 'denied', by: 'policy', reason: 'Stay', decided: { rule: { id: 'no' } } },
  ])
  expect(written()).toEqual(['{"text":"one"}'])
})

test('[S195] a card that a rule settles was allowed by that rule, and by nobody’s permission', async () => {
  const { url, data, view, close } = await hubWithPolicy({ id: 'pen', server: 'agent', off: true, decision: 'allow' })
  const asked = await ask(view, { by: 'codex', text: 'Allow?', approval: bash })
  await opened(view, 1)
  await switchRule(url, 'pen', true)
  await opened(view, 0)
  const rule = expect.objectContaining({ id: 'pen' })
  const settlement = { kind: 'settlement', question: asked, outcome: 'approved', by: 'policy' }
  expect((await bodiesIn(view)).at(-1)).toEqual({ ...settlement, decided: { decision: 'allow', rule } })
  const told = await fetch(`${url}/api/export/work?format=md`, { headers: { 'sec-fetch-site': 'same-origin' } })
  expect(await told.text()).toContain('Allowed by rule pen of the policy')
  await close()
  const { stdout } = await startParley(['audit', '--data', data]).ended
  expect(stdout).toMatch(/codex +work +agent\/Bash +allow +rule pen/)
})

test('[G276] who changed a rule is in the audit, and the chain proves it', async () => {
  const { url, data, close } = await hubWithPolicy({ id: 'never', server: 'mail', decision: 'deny_abort' })
  await switchRule(url, 'never', false)
  await switchRule(url, 'never', true)
  await close()
  const about = JSON.stringify({ rule: 'never', decision: 'deny_abort', shown: 'server mail' })
  expect(linesOf(data)).toMatchObject([
    { by: 'person', changed: 'rule off', about },
    { by: 'person', changed: 'rule on', about },
  ])
  expect(await verified(data)).toMatchObject({ links: 2, problems: [] })
  const { stdout } = await startParley(['audit', '--data', data]).ended
  expect(stdout).toMatch(/person +- +policy\/rule off +allow +person +ok/)
})

const TOKENS = 'root:admin:of-root-0123456789,ada:human:of-ada-0123456789,robot:agent:of-robot-0123456789'

test('[G277] only who may administer changes what is decided without people', async () => {
  const { url, tokens } = await startGoverned({ tokens: TOKENS, policy: { rules: [{ decision: 'ask' }] } })
  const { rules } = (await manage(url, 'policy_show', {}, 'of-ada-0123456789')) as ShownPolicy
  const rule = rules[0]?.identity
  const { secret } = await tokens.create({ name: 'bob', role: 'admin', conversation: 'talk' })
  for (const [token, why] of [
    ['of-ada-0123456789', 'This is for admin, and ada is human'],
    ['of-robot-0123456789', 'robot is agent'],
    [secret, 'bob may see only one'],
  ] as const)
    for (const [tool, input] of [
      ['policy_switch', { rule, on: false }],
      ['policy_take_back', { rule }],
    ] as const)
      await expect(manage(url, tool, input, token), `${tool} by ${token}`).rejects.toThrow(why)
  for (const [token, why] of [
    ['of-robot-0123456789', 'robot is agent'],
    [secret, 'bob may see only one'],
  ] as const)
    for (const [tool, input] of [
      ['grant_list', {}],
      ['grant_take_back', { since: '1' }],
    ] as const)
      await expect(manage(url, tool, input, token), `${tool} by ${token}`).rejects.toThrow(why)
  await manage(url, 'policy_switch', { rule, on: false }, 'of-root-0123456789')
})

test('[G277] who may not administer takes back what they allowed, but no denial that was made of it', async () => {
  const { url, data } = await startGoverned({ tokens: TOKENS })
  const line = (by: string, rule: object) => `// Allowed by ${by} on 2026-11-18\n${JSON.stringify(rule)}`
  const rules = [
    line('ada', { tool: 'Read', decision: 'allow' }),
    line('root', { tool: 'Write', decision: 'allow' }),
    line('ada', { tool: 'Bash', decision: 'deny_continue' }),
  ]
  writeFileSync(policyPath(data), `{ "rules": [\n${rules.join(',\n')}\n] }`)
  const ada = 'of-ada-0123456789'
  const shown = async () => ((await manage(url, 'policy_show', {}, ada)) as ShownPolicy).rules
  await eventually(async () => expect((await shown()).map(({ by }) => by)).toEqual(['ada', 'root', 'ada']))
  const [own, ...others] = await shown()
  expect((await shown()).map((rule) => rule.mine)).toEqual([true, undefined, undefined])
  for (const { identity } of others)
    await expect(manage(url, 'policy_take_back', { rule: identity }, ada)).rejects.toThrow('ada is human')
  await manage(url, 'policy_take_back', { rule: own?.identity }, ada)
  expect(await shown()).toHaveLength(2)
})

test('[G278] what is always allowed is listed over all conversations, and taken back for the next call', async () => {
  const hub = await hubWithPolicy()
  const { url, view } = hub
  for (const conversation of ['one', 'two'])
    await view.allowAlways(await ask(view, { by: 'codex', text: 'Allow?', approval: bash }, conversation), undefined)
  await ask(view, { by: 'codex', text: 'Allow?', approval: bash }, 'one')
  const [two, one] = await grantsAt(url)
  expect([one, two]).toMatchObject([
    { conversation: 'one', tool_name: 'Bash', agent: 'codex', by: 'person', at: expect.any(Number), count: 1 },
    { conversation: 'two', tool_name: 'Bash' },
  ])
  expect(Math.abs(Date.now() - (one?.at ?? 0))).toBeLessThan(600_000)
  await manage(url, 'grant_take_back', { since: one?.since })
  await expect(manage(url, 'grant_take_back', { since: one?.since })).rejects.toThrow(
    'This is no longer always allowed',
  )
  await ask(view, { by: 'codex', text: 'Allow?', approval: bash }, 'one')
  expect((await bodiesIn(view, 'one')).slice(-2)).toMatchObject([
    { kind: 'revocation', by: 'person' },
    { kind: 'question' },
  ])
  await hub.close()
  const again = await startGoverned({ data: hub.data })
  expect(await grantsAt(again.url)).toMatchObject([{ conversation: 'two' }])
  await viewOf(again).forget('two')
  expect(await grantsAt(again.url)).toEqual([])
})

test('[G279] every page is told when a rule is switched or taken back', async () => {
  const { url, data } = await hubWithPolicy({ id: 'a', tool: 'a', decision: 'ask' }, { id: 'b', decision: 'ask' })
  const pages = [await connectPage(url), await connectPage(url)]
  for (const page of pages) expect(await page.next('policy')).toEqual({ type: 'policy', rules: 2 })
  await switchRule(url, 'a', false)
  for (const page of pages) expect(await page.next('policy')).toEqual({ type: 'policy', rules: 1 })
  expect(readFileSync(policyPath(data), 'utf8')).toContain('"off": true')
})
