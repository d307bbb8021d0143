import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Log, NO_ENTRY } from '../log/log.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import type { Entry } from '../protocol/entry.ts'
import { type Chat, createChat } from './chat.ts'

let log: Log
let chat: Chat

beforeEach(() => {
  log = openMemoryLog()
  chat = createChat({ log })
})

afterEach(() => chat.close())

const forever = new AbortController().signal

async function ask(tool_name: string, { input = '{"command":"ls"}', conversation = 'work' } = {}): Promise<Entry> {
  const approval = { tool_name, input }
  return chat.ask(conversation, { by: 'agent', text: `Allow ${tool_name}? ${input}`, approval })
}

async function grant(tool: string): Promise<Entry> {
  return chat.allowAlways((await ask(tool)).id, undefined, 'ada')
}

async function alwaysIn(conversation: string) {
  return (await chat.conversation(conversation)).always ?? []
}

async function openIn(conversation: string) {
  return (await chat.conversation(conversation)).open.map(({ approval }) => approval?.tool_name)
}

test('[A14] the settlement says that it is for always, and the conversation keeps whose it is and since when', async () => {
  const { id, body } = await grant('Bash')
  expect(body).toMatchObject({ kind: 'settlement', outcome: 'approved', by: 'ada', always: 'granted' })
  expect(await alwaysIn('work')).toEqual([{ tool_name: 'Bash', by: 'ada', since: id }])
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

test('[A15] a call of a tool that is always allowed is one entry with its outcome in it, and never open', async () => {
  await grant('Bash')
  const { id, body } = await ask('Bash', { input: '{"command":"rm"}' })
  expect(body).toEqual({
    kind: 'permitted_call',
    by: 'agent',
    approval: { tool_name: 'Bash', input: '{"command":"rm"}' },
    granted_by: 'ada',
  })
  expect(await openIn('work')).toEqual([])
  expect(chat.openQuestions()).toBe(0)
  const { body: outcome } = await chat.outcome(id, forever)
  expect(outcome).toEqual({ kind: 'settlement', question: id, outcome: 'approved', by: 'ada', always: 'used' })
  await expect(chat.deny(id, 'Too late', 'bob')).rejects.toMatchObject({ code: 'question_settled' })
})

test('[A15] an agent whose call is always allowed is never said to wait for anybody', async () => {
  await grant('Bash')
  const seat = chat.seat({ conversation: 'work', title: 'Work' })
  const states: string[] = []
  chat.follow({ after: await chat.last() }, { entries: () => {}, agent: (_, state) => states.push(state) })
  const approval = { tool_name: 'Bash', input: '{}' }
  const { settlements } = await seat.ask([{ by: 'agent', text: 'Allow?', approval }], { signal: forever, alone: true })
  expect(settlements).toMatchObject([{ outcome: 'approved', by: 'ada' }])
  seat.close()
  expect(states).toEqual(['gone'])
})

test('[A16] what was changed in the arguments holds for the one call', async () => {
  const { id } = await ask('Bash')
  const { body } = await chat.allowAlways(id, '{"command":"ls -l"}', 'ada')
  expect(body).toMatchObject({ input: '{"command":"ls -l"}', always: 'granted' })
  const next = await ask('Bash', { input: '{"command":"pwd"}' })
  expect((await chat.outcome(next.id, forever)).body).not.toHaveProperty('input')
  await expect(chat.allowAlways((await ask('Write')).id, '[]', 'ada')).rejects.toMatchObject({ code: 'bad_input' })
  expect(await alwaysIn('work')).toHaveLength(1)
})

test('[A17] calls of the tool that wait already are allowed in the same moment, others are not', async () => {
  const asked = [await ask('Bash'), await ask('Write'), await ask('Bash', { input: '{"command":"pwd"}' })]
  const waiting = chat.outcome(asked[2]?.id ?? '', forever)
  await chat.allowAlways(asked[0]?.id ?? '', undefined, 'ada')
  expect((await waiting).body).toMatchObject({ outcome: 'approved', by: 'ada', always: 'used' })
  expect(await openIn('work')).toEqual(['Write'])
})

test('[A17] calls that come in the moment of the grant are all allowed, and none stays open', async () => {
  const first = await ask('Bash')
  const texts = Array.from({ length: 20 }, (_, n) => `{"command":"echo ${n}"}`)
  const asked = texts.map((input) => ask('Bash', { input }))
  await chat.allowAlways(first.id, undefined, 'ada')
  const outcomes = await Promise.all(asked.map(async (entry) => chat.outcome((await entry).id, forever)))
  expect(outcomes.map(({ body }) => body.outcome)).toEqual(texts.map(() => 'approved'))
  expect(await openIn('work')).toEqual([])
  expect(await alwaysIn('work')).toHaveLength(1)
})

test('[A18] the first answer wins: a grant that comes after it, or for what is no call, grants nothing', async () => {
  const { id } = await ask('Bash')
  await chat.deny(id, undefined, 'bob')
  await expect(chat.allowAlways(id, undefined, 'ada')).rejects.toMatchObject({ code: 'question_settled' })
  const question = await chat.ask('work', { by: 'agent', text: 'Which?' })
  await expect(chat.allowAlways(question.id, undefined, 'ada')).rejects.toMatchObject({ code: 'no_verdict' })
  expect(await alwaysIn('work')).toEqual([])
})

test('[A18] the words of the button, typed as a reply, deny like all others', async () => {
  const { body } = await chat.answer((await ask('Bash')).id, 'Always allow', 'ada')
  expect(body).toMatchObject({ outcome: 'denied', reason: 'Always allow' })
  expect(await alwaysIn('work')).toEqual([])
})

test('[A19] what is taken back is asked about again, once for each key, and cannot be taken back twice', async () => {
  await grant('Bash')
  await grant('Write')
  const take = () => chat.revoke('work', 'Bash', 'bob', 'a key')
  const [first, twice] = await Promise.all([take(), take()])
  expect(first.body).toEqual({ kind: 'revocation', by: 'bob', tool_name: 'Bash' })
  expect([twice, await take()]).toEqual([first, first])
  await expect(chat.revoke('work', 'Bash', 'ada')).rejects.toMatchObject({ code: 'not_always_allowed' })
  await expect(chat.revoke('nowhere', 'Bash', 'ada')).rejects.toMatchObject({ code: 'unknown_conversation' })
  await ask('Bash')
  expect(await openIn('work')).toEqual(['Bash'])
  expect(await alwaysIn('work')).toMatchObject([{ tool_name: 'Write' }])
})

test('[A20] only so many tools can be always allowed, and the one too many stays open with a clear error', async () => {
  for (let n = 0; n < 32; n++) await grant(`tool ${n}`)
  const { id } = await ask('one more')
  await expect(chat.allowAlways(id, undefined, 'ada')).rejects.toThrow(
    'At most 32 tools can be always allowed in one conversation; take one back first',
  )
  expect(await openIn('work')).toEqual(['one more'])
  await chat.revoke('work', 'tool 7', 'ada')
  await chat.allowAlways(id, undefined, 'ada')
  expect(await alwaysIn('work')).toHaveLength(32)
})

test('[A21] a hub that opens the log again knows it, from a snapshot of an older Parley too', async () => {
  await grant('Bash')
  const { always: _, ...older } = await chat.conversation('work')
  const [first] = (await log.read({ conversation: 'work', after: NO_ENTRY, limit: 1 })) as Entry[]
  const entry = first as Entry
  await log.snapshot.put('work', { at: entry.id, state: { ...older, last: entry.id, open: [openOf(entry)] } })
  const after = createChat({ log })
  expect((await after.conversation('work')).always).toMatchObject([{ tool_name: 'Bash', by: 'ada' }])
})

function openOf({ id, at, body }: Entry) {
  return { ...body, id, at }
}
