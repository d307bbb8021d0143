import { renameSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ask } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { startHub } from '../support/hub.ts'
import { askingAgent, bodiesIn, hubWithPolicy, opened } from '../support/policy/policy.ts'
import { connect } from '../support/socket.ts'

const ALLOW_LS = { server: 'agent', tool: 'Bash', arguments: { command: 'ls*' }, decision: 'allow', id: 'list' }
const DENY_RM = {
  server: 'agent',
  tool: 'Bash',
  arguments: { command: 'rm*' },
  decision: 'deny_continue',
  reason: 'Nothing is deleted here',
  id: 'keep',
}

test('[A40] what a rule allows or denies is one entry with the rule in it, and nobody is asked', async () => {
  const { url, view, chat } = await hubWithPolicy(ALLOW_LS, DENY_RM)
  const { approve } = await askingAgent(url)
  expect(await approve('Bash', { command: 'ls -l' })).toEqual({
    behavior: 'allow',
    updatedInput: { command: 'ls -l' },
  })
  expect(await approve('Bash', { command: 'rm -r x' })).toEqual({
    behavior: 'deny',
    message: 'Nothing is deleted here',
  })
  const [, permitted, refused] = await bodiesIn(view)
  const rule = (id: string) => expect.objectContaining({ id, line: expect.any(Number) })
  const asked = { by: 'test-agent', asker: 'local:agent', folder: '', visit: expect.any(String) }
  expect(permitted).toEqual({
    kind: 'permitted_call',
    ...asked,
    approval: { tool_name: 'Bash', input: '{"command":"ls -l"}' },
    granted_by: 'policy',
    decided: { decision: 'allow', rule: rule('list') },
  })
  expect(refused).toEqual({
    kind: 'refused_call',
    ...asked,
    approval: { tool_name: 'Bash', input: '{"command":"rm -r x"}' },
    decided: { decision: 'deny_continue', rule: rule('keep'), reason: 'Nothing is deleted here' },
  })
  expect(chat.openQuestions()).toBe(0)
})

test('[A40] where no rule matches, or one asks, a person is asked, and told why', async () => {
  const reason = 'It is published'
  const { url, view } = await hubWithPolicy(ALLOW_LS, { tool: 'Push', decision: 'ask', reason })
  const { approve } = await askingAgent(url)
  const calls = [approve('Push'), approve('Bash', { command: 'pwd' }), approve('Read', { path: 'x' })]
  const open = await opened(view, 3)
  const reasons = Object.fromEntries(open.map(({ approval }) => [approval?.tool_name, approval?.reason]))
  expect(reasons).toEqual({ Push: reason, Bash: undefined, Read: undefined })
  for (const { id } of open) await view.deny(id, 'No')
  expect(await Promise.all(calls)).toEqual(calls.map(() => ({ behavior: 'deny', message: 'No' })))
})

test('[A40] a rule counts from the moment when it is written, and asked again by its id a call is what it was', async () => {
  const { url, view, path } = await hubWithPolicy()
  const { approve } = await askingAgent(url)
  const first = approve('Bash', {}, 'toolu_1')
  const [asked] = await opened(view)
  writeFileSync(`${path}.new`, JSON.stringify({ rules: [{ tool: 'Bash', decision: 'deny_continue' }] }))
  renameSync(`${path}.new`, path)
  await eventually(async () => {
    await ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name: 'Bash', input: '{}' } }, 'other')
    expect((await bodiesIn(view, 'other')).at(-1)?.kind).toBe('refused_call')
  })
  expect(await approve('Bash')).toEqual({ behavior: 'deny', message: 'A rule of the policy denies it' })
  const again = approve('Bash', {}, 'toolu_1')
  await view.allow(asked?.id ?? '', undefined)
  const denied = { behavior: 'deny', message: 'Allowed by person, but rule #1 of the policy forbids it' }
  expect(await Promise.all([first, again])).toEqual([denied, denied])
})

test('[A41] own tools are of the server agent, and mcp__SERVER__TOOL is the tool of a server', async () => {
  const rules = [
    { server: 'agent', tool: 'push', decision: 'allow' },
    { server: 'git', tool: 'push', decision: 'deny_continue', reason: 'git' },
    { server: 'git_hub', tool: 'a__b', decision: 'deny_continue', reason: 'hub' },
  ]
  const { url } = await hubWithPolicy(...rules)
  const { approve } = await askingAgent(url)
  expect(await approve('push')).toMatchObject({ behavior: 'allow' })
  expect(await approve('mcp__git__push')).toEqual({ behavior: 'deny', message: 'git' })
  expect(await approve('mcp__git_hub__a__b')).toEqual({ behavior: 'deny', message: 'hub' })
})

test('[A41] rules know who asks, where, and the folder that relative paths are of', async () => {
  const { view } = await hubWithPolicy(
    { principal: 'local:admin', tool: 'Mine', decision: 'allow' },
    { conversation: 'work', tool: 'Here', decision: 'allow' },
    { tool: 'Write', arguments: { path: { path: '/project/**' } }, decision: 'allow' },
    { decision: 'deny_continue' },
  )
  const session = view.agentSession({ conversation: 'work', title: 'Work', folder: '/project', isProven: true })
  const { signal } = new AbortController()
  const outcome = async (tool_name: string, input = '{}') => {
    const asking = [{ by: 'agent', text: 'Allow?', approval: { tool_name, input } }]
    return (await session.ask(asking, { signal, alone: true })).settlements[0]?.outcome
  }
  // The first one begins the conversation, and its folder counts already.
  expect(await outcome('Write', '{"path":"notes/a.md"}')).toBe('approved')
  expect(await outcome('Write', '{"path":"../a.md"}')).toBe('denied')
  expect(await outcome('Write', '{"path":"b.md"}')).toBe('approved')
  expect([await outcome('Mine'), await outcome('Here'), await outcome('Other')]).toEqual([
    'approved',
    'approved',
    'denied',
  ])
  await ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name: 'Here', input: '{}' } }, 'elsewhere')
  expect((await bodiesIn(view, 'elsewhere')).at(-1)).toMatchObject({ kind: 'refused_call' })
})

test('[A42] a denial by a rule is stronger than what is always allowed here, and a stop than a rule that allows', async () => {
  const { url, view } = await hubWithPolicy(DENY_RM, { tool: 'Read', decision: 'allow' })
  const { approve } = await askingAgent(url)
  const first = approve('Bash', { command: 'pwd' })
  await view.allowAlways((await opened(view))[0]?.id ?? '', undefined)
  expect(await first).toMatchObject({ behavior: 'allow' })
  expect(await approve('Bash', { command: 'pwd' })).toMatchObject({ behavior: 'allow' })
  expect(await approve('Bash', { command: 'rm x' })).toMatchObject({ behavior: 'deny' })
  await view.interrupt('work', 'Wait')
  expect(await approve('Read')).toEqual({
    behavior: 'deny',
    message: 'The person wants you to stop, and says: Wait',
  })
})

test('[A43] questions are never decided by a rule, nor is AskUserQuestion', async () => {
  const { url, view } = await hubWithPolicy({ decision: 'deny_abort' })
  const { approve, client } = await askingAgent(url)
  const question = { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] }
  const chosen = approve('AskUserQuestion', { questions: [question] })
  await view.choose((await opened(view))[0]?.id ?? '', ['B'])
  expect(await chosen).toMatchObject({ behavior: 'allow', updatedInput: { answers: { 'Which?': 'B' } } })
  const asked = client.callTool({ name: 'ask_user', arguments: { prompt: 'Really?', question: 'Really?' } })
  await view.answer((await opened(view))[0]?.id ?? '', 'Yes')
  expect(JSON.stringify(await asked)).toContain('Yes')
})

test('[A44] where a rule ends the turn, the answer says so, with the reason', async () => {
  const reason = 'Production is frozen'
  const { url } = await hubWithPolicy({ tool: 'Deploy', decision: 'deny_abort', reason })
  const { approve } = await askingAgent(url)
  expect(await approve('Deploy')).toEqual({
    behavior: 'deny',
    message: 'This call is not allowed, and you must stop: Production is frozen',
    interrupt: true,
  })
})

test.each(['bridge', 'loop', 'router'])(
  '[A46] the %s dialect shows nothing of what a rule decided',
  async (dialect) => {
    const { view, url } = await hubWithPolicy(ALLOW_LS, DENY_RM)
    const want = (command: string) =>
      ask(view, {
        by: 'agent',
        text: `Allow ${command}?`,
        approval: { tool_name: 'Bash', input: JSON.stringify({ command }) },
      })
    const client = await connect(url, `/ws?dialect=${dialect}&session=work`)
    for (const command of ['ls', 'rm', 'pwd']) await want(command)
    await eventually(() => expect(JSON.stringify(client.frames)).toContain('pwd'))
    expect(JSON.stringify(client.frames)).not.toMatch(/\b(ls|rm)\b/)
  },
)

test('[A46] what a rule denied is said in the list, found by its reason, and told in an export', async () => {
  const { view, url } = await hubWithPolicy(ALLOW_LS, DENY_RM)
  const { approve } = await askingAgent(url)
  await approve('Bash', { command: 'ls' })
  await approve('Bash', { command: 'rm notes' })
  expect((await view.conversation('work')).preview).toBe('Denied Bash: rm notes')
  await eventually(async () => {
    const { hits } = await view.search({ query: 'deleted', limit: 5 })
    expect(hits).toHaveLength(1)
  })
  const exported = await (await fetch(`${url}/api/export/work?format=md`)).text()
  expect(exported).toContain('uses Bash, by rule list of the policy')
  expect(exported).toContain('may not use Bash, by rule keep of the policy: Nothing is deleted here')
})

test('[A40] a hub that forgets has no rules: a person is asked', async () => {
  const { url, view } = await startHub('memory')
  const { approve } = await askingAgent(url)
  const asked = approve('Bash')
  await view.allow((await opened(view))[0]?.id ?? '', undefined)
  expect(await asked).toMatchObject({ behavior: 'allow' })
})
