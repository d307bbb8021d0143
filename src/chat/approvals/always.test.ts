import { beforeEach, expect, test } from 'vitest'
import { forever, openTestChat, person, ask as put } from '../../../test/support/chat.ts'
import type { Log } from '../../log/views.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import type { Chat } from '../chat.ts'
import type { AgentStatus } from '../driving/presence.ts'
import type { View } from '../view.ts'
import { NO_POLICY } from './policing.ts'

let log: Log
let chat: Chat
let view: View
let ada: View

beforeEach(() => {
  ;({ log, chat, view } = openTestChat())
  ada = person(chat, 'ada')
})

const { signal } = forever

function ask(tool_name: string, { input = '{"path":"ls"}', conversation = 'work', by = view } = {}) {
  const approval = { tool_name, input }
  return put(by, { by: 'agent', text: `Allow ${tool_name}? ${input}`, approval }, conversation)
}

async function grant(tool: string): Promise<Entry> {
  return ada.allowAlways(await ask(tool), undefined)
}

async function alwaysIn(conversation: string) {
  return (await view.conversation(conversation)).always ?? []
}

async function openIn(conversation: string) {
  return (await view.conversation(conversation)).open.map(({ approval }) => approval?.tool_name)
}

test('[A14] the settlement says that it is for always, and the conversation keeps whose it is and since when', async () => {
  const { id, body } = await grant('Bash')
  expect(body).toMatchObject({ kind: 'settlement', outcome: 'approved', by: 'ada', always: 'granted' })
  expect(await alwaysIn('work')).toEqual([
    { tool_name: 'Bash', asker: 'local:admin', agent: 'agent', by: 'ada', since: id },
  ])
  expect(await alwaysIn('other')).toEqual([])
})

test('[A14] only this tool in this conversation is allowed: any other is a question as ever', async () => {
  await grant('Bash')
  await ask('Write')
  await ask('bash')
  await ask('Bash', { conversation: 'other' })
  expect(await openIn('work')).toEqual(['Write', 'bash'])
  expect(await openIn('other')).toEqual(['Bash'])
})

test('[A14] what is always allowed to one asker is not allowed to another, whatever both call themselves', async () => {
  const [one, other] = ['one', 'other'].map((id) => chat.as({ id, name: id, role: 'agent' }))
  const asked = [await ask('Bash', { by: one }), await ask('Bash', { by: other })]
  await ada.allowAlways(asked[0] ?? '', undefined)
  expect(await alwaysIn('work')).toMatchObject([{ tool_name: 'Bash', asker: 'one' }])
  await ask('Bash', { by: one })
  await ask('Bash', { by: other })
  expect((await view.conversation('work')).open.map(({ asker }) => asker)).toEqual(['other', 'other'])
  expect(await openIn('work')).toEqual(['Bash', 'Bash'])
})

test('[A15] a call of a tool that is always allowed is one entry with its outcome in it, and never open', async () => {
  await grant('Bash')
  const id = await ask('Bash', { input: '{"path":"rm"}' })
  expect((await view.page('work', { limit: 1 })).entries[0]?.body).toEqual({
    kind: 'permitted_call',
    by: 'agent',
    asker: 'local:admin',
    approval: { tool_name: 'Bash', input: '{"path":"rm"}' },
    granted_by: 'ada',
  })
  expect(await openIn('work')).toEqual([])
  expect(chat.openQuestions()).toBe(0)
  const { body: outcome } = await view.agentService().outcome(id, signal)
  expect(outcome).toEqual({ kind: 'settlement', question: id, outcome: 'approved', by: 'ada', always: 'used' })
  await expect(ada.deny(id, 'Too late')).rejects.toMatchObject({ code: 'question_settled' })
})

test('[A15] an agent whose call is always allowed is never said to wait for anybody', async () => {
  await grant('Bash')
  const session = view.agentSession({ conversation: 'work', title: 'Work' })
  const states: string[] = []
  const listener = { entries() {}, agent: (_: string, { state }: AgentStatus) => states.push(state), failed() {} }
  view.follow({ after: await view.last() }, listener)
  const approval = { tool_name: 'Bash', input: '{}' }
  const { settlements } = await session.ask([{ by: 'agent', text: 'Allow?', approval }], { signal, alone: true })
  expect(settlements).toMatchObject([{ outcome: 'approved', by: 'ada' }])
  session.close()
  expect(states).toEqual(['working', 'gone'])
})

test('[A16] what was changed in the arguments holds for the one call', async () => {
  const { body } = await ada.allowAlways(await ask('Bash'), '{"path":"ls -l"}')
  expect(body).toMatchObject({ input: '{"path":"ls -l"}', always: 'granted' })
  const next = await ask('Bash', { input: '{"path":"pwd"}' })
  expect((await view.agentService().outcome(next, signal)).body).not.toHaveProperty('input')
  await expect(ada.allowAlways(await ask('Write'), '[]')).rejects.toMatchObject({ code: 'bad_input' })
  expect(await alwaysIn('work')).toHaveLength(1)
})

test('[A17] calls of the tool that wait already are allowed in the same moment, others are not', async () => {
  const asked = [await ask('Bash'), await ask('Write'), await ask('Bash', { input: '{"path":"pwd"}' })]
  const waiting = view.agentService().outcome(asked[2] ?? '', signal)
  await ada.allowAlways(asked[0] ?? '', undefined)
  expect((await waiting).body).toMatchObject({ outcome: 'approved', by: 'ada', always: 'used' })
  expect(await openIn('work')).toEqual(['Write'])
})

test('[A17] calls that come in the moment of the grant are all allowed, and none stays open', async () => {
  const first = await ask('Bash')
  const texts = Array.from({ length: 20 }, (_, n) => `{"path":"echo ${n}"}`)
  const asked = texts.map((input) => ask('Bash', { input }))
  await ada.allowAlways(first, undefined)
  const outcomes = await Promise.all(asked.map(async (id) => view.agentService().outcome(await id, signal)))
  expect(outcomes.map(({ body }) => body.outcome)).toEqual(texts.map(() => 'approved'))
  expect(await openIn('work')).toEqual([])
  expect(await alwaysIn('work')).toHaveLength(1)
})

test('[A18] the first answer wins: a grant that comes after it, or for what is no call, grants nothing', async () => {
  const id = await ask('Bash')
  await view.deny(id, undefined)
  await expect(ada.allowAlways(id, undefined)).rejects.toMatchObject({ code: 'question_settled' })
  const question = await put(view, { by: 'agent', text: 'Which?' })
  await expect(ada.allowAlways(question, undefined)).rejects.toMatchObject({ code: 'no_verdict' })
  expect(await alwaysIn('work')).toEqual([])
})

test('[A18] the words of the button, typed as a reply, deny like all others', async () => {
  const { body } = await ada.answer(await ask('Bash'), 'Always allow')
  expect(body).toMatchObject({ outcome: 'denied', reason: 'Always allow' })
  expect(await alwaysIn('work')).toEqual([])
})

test('[A19] what is taken back is asked about again, once for each key, and cannot be taken back twice', async () => {
  await grant('Bash')
  await grant('Write')
  const take = () => person(chat, 'bob').revoke('work', 'Bash', 'a key')
  const [first, twice] = await Promise.all([take(), take()])
  expect(first.body).toEqual({ kind: 'revocation', by: 'bob', tool_name: 'Bash' })
  expect([twice, await take()]).toEqual([first, first])
  await expect(ada.revoke('work', 'Bash')).rejects.toMatchObject({ code: 'not_always_allowed' })
  await expect(ada.revoke('nowhere', 'Bash')).rejects.toMatchObject({ code: 'unknown_conversation' })
  await ask('Bash')
  expect(await openIn('work')).toEqual(['Bash'])
  expect(await alwaysIn('work')).toMatchObject([{ tool_name: 'Write' }])
})

test('[A97] one permission of a tool is taken back alone, and the entry says which; without its name all of the tool are', async () => {
  const command = (command: string) => ask('Bash', { input: JSON.stringify({ command }) })
  const test = await ada.allowAlways(await command('npm test'), undefined)
  const status = await ada.allowAlways(await command('git status'), undefined)
  const { body } = await ada.revoke('work', 'Bash', 'a key', test.id)
  const wanted = { place: 'command', begins: 'npm test' }
  expect(body).toEqual({ kind: 'revocation', by: 'ada', tool_name: 'Bash', since: test.id, command: wanted })
  expect(await alwaysIn('work')).toMatchObject([{ since: status.id, command: { begins: 'git status' } }])
  await command('git status -s')
  await command('npm test')
  expect((await view.conversation('work')).open).toMatchObject([{ approval: { input: '{"command":"npm test"}' } }])
  await expect(ada.revoke('work', 'Bash', undefined, test.id)).rejects.toMatchObject({ code: 'not_always_allowed' })
  await expect(ada.revoke('work', 'Write', undefined, status.id)).rejects.toMatchObject({ code: 'not_always_allowed' })
  await ada.allowAlways(await command('ls'), undefined)
  expect((await ada.revoke('work', 'Bash')).body).toEqual({ kind: 'revocation', by: 'ada', tool_name: 'Bash' })
  expect(await alwaysIn('work')).toEqual([])
})

test('[A20] only so many tools can be always allowed, and the one too many stays open with a clear error', async () => {
  for (let n = 0; n < 32; n++) await grant(`tool ${n}`)
  const id = await ask('one more')
  await expect(ada.allowAlways(id, undefined)).rejects.toThrow(
    'At most 32 tools can be always allowed in one conversation; take one back first',
  )
  expect(await openIn('work')).toEqual(['one more'])
  await ada.revoke('work', 'tool 7')
  await ada.allowAlways(id, undefined)
  expect(await alwaysIn('work')).toHaveLength(32)
})

test('[A21] a hub that opens the log again knows it, whatever an older Parley kept beside the log', async () => {
  await grant('Bash')
  const { always: _, ...older } = await view.conversation('work')
  await log.snapshots.put('work', { format: 0, at: older.last, state: older })
  const { view: after } = openTestChat({ log })
  expect((await after.conversation('work')).always).toMatchObject([{ tool_name: 'Bash', by: 'ada' }])
})

test('[G283] of a tool that runs commands what begins as the allowed one is allowed, in the same moment and later', async () => {
  const command = (command: string) => ask('Bash', { input: JSON.stringify({ command }) })
  const asked = [await command('npm test'), await command('npm test -- -t x'), await command('npm test; rm -rf /')]
  await ada.allowAlways(asked[0] ?? '', undefined)
  await command('npm test --watch')
  await command('git push --force')
  await ask('Bash', { input: '{"command":"npm test","env":{"NODE_OPTIONS":"-r /evil"}}' })
  expect(await openIn('work')).toEqual(['Bash', 'Bash', 'Bash'])
  expect(await alwaysIn('work')).toMatchObject([
    { tool_name: 'Bash', command: { place: 'command', begins: 'npm test' } },
  ])
  await ada.allowAlways(await command('ls'), undefined)
  expect(await alwaysIn('work')).toHaveLength(2)
})

test('[G287] what is masked or too long to be told from others is allowed once, and the card says why', async () => {
  const secret = JSON.stringify({ command: `curl -u ada:sk-ant-api03-${'Ab1'.repeat(20)} example.org` })
  const masked = await ask('Bash', { input: secret })
  await expect(ada.allowAlways(masked, undefined)).rejects.toMatchObject({ code: 'always_unsaid' })
  await expect(
    ada.allowAlways(await ask('Bash', { input: JSON.stringify({ command: `ls ${'-'.repeat(5000)}` }) }), undefined),
  ).rejects.toMatchObject({ code: 'always_unsaid' })
  await ada.allow(masked, undefined)
  expect(await alwaysIn('work')).toEqual([])
})

test('[A96] a command that is too long to be shown whole is never allowed for good, nor along with other calls', async () => {
  const rules: unknown[] = []
  const remember = async (...of: unknown[]) => `rule ${rules.push(of)}`
  const { view } = openTestChat({ policy: { ...NO_POLICY, remember } })
  const input = JSON.stringify({ command: `rm -rf / ${'-'.repeat(2 * 1024 * 1024)}` })
  const driver = view.driver()
  await view.say('work', { text: 'Go' })
  await driver.acquire('work', 'run', 30)
  const asked = (key: string, input: string) =>
    driver.ask('work', 'run', { by: 'agent', key, text: 'Allow?', approval: { tool_name: 'Bash', input } })
  const long = await asked('long', input)
  expect((await view.conversation('work')).open).toMatchObject([{ id: long, approval: { cut: true } }])
  await expect(view.allowAlways(long, undefined)).rejects.toMatchObject({ code: 'always_unsaid' })
  await expect(view.allowByRule(long, undefined, 'everyone')).rejects.toMatchObject({ code: 'always_unsaid' })
  expect(rules).toEqual([])
  await view.allowAlways(await asked('short', '{"restart":true}'), undefined)
  expect((await view.conversation('work')).open).toMatchObject([{ id: long }])
})
