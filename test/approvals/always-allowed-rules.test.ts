import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { policyPath } from '../../src/governance/policy/file/policy-file.ts'
import { ask, openTestChat } from '../support/chat.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { askingAgent, bodiesIn, hubWithPolicy, opened } from '../support/policy/policy.ts'
import { connectPage } from '../support/socket.ts'

const ASK_BASH = { id: 'careful', tool: 'Bash', decision: 'ask', reason: 'A shell can do anything' }

function want(view: View, tool_name: string, { input = '{}', conversation = 'work', more = {} } = {}) {
  return ask(view, { by: 'agent', text: `Allow ${tool_name}?`, approval: { tool_name, input, ...more } }, conversation)
}

/** The rules as the file has them, without what is beside them. */
const rulesIn = (text: string) => JSON.parse(text.replace(/^\s*\/\/.*$/gm, '')).rules
const today = () => new Date().toLocaleDateString('sv-SE')

test('[A47] [A88] for an agent it is a rule before the one that asks, with a comment that says who, when and where', async () => {
  const { url, view, chat, text } = await hubWithPolicy(ASK_BASH)
  const { approve } = await askingAgent(url)
  const first = approve('Bash', { command: 'npm test' })
  const [asked] = await opened(view)
  expect(asked?.approval?.reason).toBe('A shell can do anything')
  const ada = chat.as({ id: 'ada', name: 'ada', role: 'human' })
  const day = today()
  const { body } = await ada.allowByRule(asked?.id ?? '', '{"command":"npm test -l"}', 'agent')
  expect(body).toMatchObject({
    outcome: 'approved',
    by: 'ada',
    always: 'granted',
    scope: 'agent',
    rule: expect.any(String),
  })
  expect(await first).toEqual({ behavior: 'allow', updatedInput: { command: 'npm test -l' } })
  // The day may end meanwhile.
  const comments = [day, today()].map((on) => `// Allowed by ada on ${on} in work\n`)
  expect(
    comments.some((comment) => text().includes(comment)),
    text(),
  ).toBe(true)
  const whose = { agent: 'test-agent', folder: '' }
  const rule = { server: 'agent', tool: 'Bash', arguments: { command: { command: 'npm test' } }, ...whose }
  expect(rulesIn(text())).toEqual([{ ...rule, decision: 'allow' }, ASK_BASH])
  // The conversation itself keeps nothing, and another agent is still asked about.
  expect((await view.conversation('work')).always).toBeUndefined()
  expect(await approve('Bash', { command: 'npm test -- -t one' })).toMatchObject({ behavior: 'allow' })
  expect((await bodiesIn(view)).at(-1)).toMatchObject({ granted_by: 'policy', decided: { rule: { id: '#1' } } })
  await want(view, 'Bash')
  expect((await opened(view))[0]?.asker).toBe('local:admin')
})

test('[A47] for everyone it names no principal, and where no rule asks it is the last one', async () => {
  const { view, text } = await hubWithPolicy({ tool: 'Read', decision: 'deny_continue' })
  await view.allowByRule(await want(view, 'mcp__git__push'), undefined, 'everyone')
  expect(rulesIn(text())).toEqual([
    { tool: 'Read', decision: 'deny_continue' },
    { server: 'git', tool: 'push', command: false, decision: 'allow' },
  ])
  await want(view, 'mcp__git__push', { conversation: 'other' })
  expect((await bodiesIn(view, 'other')).at(-1)).toMatchObject({ kind: 'permitted_call', granted_by: 'policy' })
})

test('[A47] exactly this tool of this agent is meant, whatever is in their names', async () => {
  const { chat, text } = await hubWithPolicy()
  const odd = chat.as({ id: 'r*bot', name: 'r*bot', role: 'agent' })
  const ada = chat.as({ id: 'ada', name: 'ada', role: 'human' })
  for (const name of ['Ba*', 'Wh?t', '[x]', '{a}', '!no', 'back\\slash'])
    await ada.allowByRule(await want(odd, name), undefined, 'agent')
  expect(rulesIn(text()).map(({ tool }: { tool: string }) => tool)).toEqual([
    'Ba\\*',
    'Wh\\?t',
    '\\[x]',
    '\\{a}',
    '\\!no',
    'back\\\\slash',
  ])
  const others = ['Bash', 'What', 'x', 'a', 'yes']
  for (const name of others) await want(odd, name)
  await want(chat.as({ id: 'robot', name: 'robot', role: 'agent' }), 'Ba*')
  expect((await odd.conversation('work')).open.map(({ approval }) => approval?.tool_name)).toEqual([...others, 'Ba*'])
  await want(odd, 'back\\slash')
  expect((await bodiesIn(odd)).at(-1)?.kind).toBe('permitted_call')
})

test('[A47] a mounted tool goes by its server and the name that it has there', async () => {
  const { connect, person, written, data } = await startGoverned()
  const client = await connect()
  const first = client.callTool({ name: 'diary_write', arguments: { text: 'one' } })
  const { id } = await followed(person).until('question')
  await person.allowByRule(id, undefined, 'everyone')
  await first
  await client.callTool({ name: 'diary_write', arguments: { text: 'two' } })
  expect(written()).toHaveLength(2)
  const text = readFileSync(policyPath(data), 'utf8')
  expect(rulesIn(text)).toEqual([{ server: 'diary', tool: 'write', command: false, decision: 'allow' }])
})

test('[A48] a policy that is broken or gone is not written, and the call stays open', async () => {
  const { view, path, text } = await hubWithPolicy(ASK_BASH)
  const id = await want(view, 'Bash')
  writeFileSync(path, '{ "rules": [ oops')
  await expect(view.allowByRule(id, undefined, 'agent')).rejects.toMatchObject({ code: 'policy_broken' })
  expect(text()).toBe('{ "rules": [ oops')
  rmSync(path)
  await expect(view.allowByRule(id, undefined, 'everyone')).rejects.toThrow(`${path} is gone`)
  expect(await opened(view)).toMatchObject([{ id }])
  expect((await bodiesIn(view)).at(-1)?.kind).toBe('question')
})

test('[A48] nobody lifts a denial by allowing: a rule that would pass one by is refused', async () => {
  const deny = { id: 'never', tool: 'Bash', arguments: { command: 'rm*' }, decision: 'deny_continue' }
  const { view, text } = await hubWithPolicy({ ...ASK_BASH, arguments: { command: 'git*' } }, deny)
  const before = text()
  const id = await want(view, 'Bash', { input: '{"command":"git push"}' })
  await expect(view.allowByRule(id, undefined, 'agent')).rejects.toThrow(
    'Rule "never" of the policy denies calls of this tool; change the policy file to allow it always',
  )
  // Behind it there is no harm.
  const other = await want(view, 'Bash', { input: '{"command":"ls"}' })
  expect(text()).toBe(before)
  await view.allowByRule(other, undefined, 'agent')
  expect(rulesIn(text()).at(-1)).toMatchObject({ tool: 'Bash', decision: 'allow' })
})

test('[A48] where there is no policy, that is said', async () => {
  const { view } = openTestChat()
  const id = await want(view, 'Bash')
  await expect(view.allowByRule(id, undefined, 'everyone')).rejects.toThrow(
    'This hub has no policy; allow it in this conversation',
  )
  expect(await opened(view)).toMatchObject([{ id }])
})

test('[A48] the first decision wins: what was denied before writes no rule, and the same command happens once', async () => {
  const { view, text } = await hubWithPolicy(ASK_BASH)
  const before = text()
  const denied = await want(view, 'Bash')
  const [, late] = await Promise.allSettled([view.deny(denied, 'No'), view.allowByRule(denied, undefined, 'everyone')])
  expect(late).toMatchObject({ status: 'rejected', reason: { code: 'question_settled' } })
  expect(text()).toBe(before)
  const id = await want(view, 'Bash')
  const allow = (scope: 'agent' | 'everyone', key: string) => view.allowByRule(id, undefined, scope, key)
  const [first, same, other, no] = await Promise.allSettled([
    allow('agent', 'a key'),
    allow('agent', 'a key'),
    allow('everyone', 'another'),
    view.deny(id, 'No'),
  ])
  expect(first).toMatchObject({ status: 'fulfilled', value: { body: { scope: 'agent' } } })
  expect(same).toEqual(first)
  const refused = { status: 'rejected', reason: { code: 'question_settled' } }
  expect([other, no]).toMatchObject([refused, refused])
  expect(await allow('agent', 'a key')).toEqual((first as { value: unknown }).value)
  expect(rulesIn(text())).toHaveLength(2)
})

test('[A48] a rule that is there already is not written twice', async () => {
  const rule = { server: 'agent', tool: 'Bash', command: false, agent: 'agent', folder: '', decision: 'allow' }
  const { view, path, text } = await hubWithPolicy()
  const id = await want(view, 'Bash')
  writeFileSync(path, JSON.stringify({ rules: [rule] }))
  await expect
    .poll(async () => {
      await want(view, 'Bash', { conversation: 'other' })
      return (await bodiesIn(view, 'other')).at(-1)?.kind
    })
    .toBe('permitted_call')
  expect(await view.allowByRule(id, undefined, 'agent')).toMatchObject({ body: { outcome: 'approved' } })
  expect(rulesIn(text())).toEqual([rule])
})

test('[A49] [S195] what else waits for the tool and is allowed now is allowed along, in every conversation', async () => {
  const { view, chat } = await hubWithPolicy()
  const robot = chat.as({ id: 'robot', name: 'robot', role: 'agent' })
  const first = await want(view, 'Bash')
  await want(view, 'Bash', { input: '{"n":2}' })
  await want(view, 'Write')
  await want(robot, 'Bash')
  await want(view, 'Bash', { conversation: 'other' })
  await want(robot, 'Bash', { conversation: 'third' })
  await view.allowByRule(first, undefined, 'agent')
  const openIn = async (conversation: string) =>
    (await view.conversation(conversation)).open.map(({ asker, approval }) => `${asker} ${approval?.tool_name}`)
  expect(await openIn('work')).toEqual(['local:admin Write', 'robot Bash'])
  expect([await openIn('other'), await openIn('third')]).toEqual([[], ['robot Bash']])
  const decided = { decision: 'allow', rule: { id: '#1' } }
  expect((await bodiesIn(view, 'other')).at(-1)).toMatchObject({ outcome: 'approved', by: 'policy', decided })
  await view.allowByRule((await opened(view, 2))[1]?.id ?? '', undefined, 'everyone')
  expect([await openIn('work'), await openIn('third')]).toEqual([['local:admin Write'], []])
})

test('[A50] what has options of its own takes no scope, and no scope comes without always', async () => {
  const { view, url, text } = await hubWithPolicy(ASK_BASH)
  const before = text()
  const options = [{ id: 'once', label: 'Yes', kind: 'allow_once' }]
  const id = await want(view, 'Bash', { more: { options } })
  const page = await connectPage(url)
  page.say({ type: 'allow', key: 'a', question: id, always: true, scope: 'agent' })
  expect(await page.next('refused')).toMatchObject({ key: 'a', code: 'option_wanted' })
  page.say({ type: 'allow', key: 'b', question: id, scope: 'agent' })
  expect(await page.next('refused')).toMatchObject({ key: 'b', error: '"scope" is of what is always allowed' })
  page.say({ type: 'allow', key: 'c', question: id, always: true, scope: 'all' })
  expect(await page.next('refused')).toMatchObject({ key: 'c', error: '"scope" must be agent or everyone' })
  expect(text()).toBe(before)
  expect(await opened(view)).toMatchObject([{ id }])
})
