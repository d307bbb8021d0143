import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryLog } from '../log/memory-log.ts'
import type { Question } from '../protocol/entry.ts'
import { type Chat, createChat } from './chat.ts'

let chat: Chat

beforeEach(() => {
  chat = createChat({ log: openMemoryLog() })
})

afterEach(() => chat.close())

const call = { by: 'agent', text: 'Allow Bash?', approval: { tool_name: 'Bash', input: '{"command":"ls"}' } }
const colours = { by: 'agent', text: 'Which?', options: [{ label: 'Red' }, { label: 'Blue', description: 'Calm' }] }

async function ask(question: Omit<Question, 'kind'>): Promise<string> {
  return (await chat.ask('work', question)).id
}

async function lastBody() {
  return (await chat.page('work', { limit: 1 })).entries[0]?.body
}

test('[A1] a person allows a call once, with changed arguments or not, or denies it with a reason or without', async () => {
  await chat.allow(await ask(call), undefined, 'ada')
  expect(await lastBody()).toMatchObject({ outcome: 'approved', by: 'ada' })
  expect(await lastBody()).not.toHaveProperty('input')
  await chat.allow(await ask(call), '{"command":"ls -l"}', 'ada')
  expect(await lastBody()).toMatchObject({ outcome: 'approved', input: '{"command":"ls -l"}' })
  await chat.deny(await ask(call), 'Not here', 'ada')
  expect(await lastBody()).toMatchObject({ outcome: 'denied', reason: 'Not here' })
  await chat.deny(await ask(call), undefined, 'ada')
  expect(await lastBody()).toMatchObject({ outcome: 'denied' })
})

test('[A2] of what clients that only know text say, the very word allows and everything else denies', async () => {
  await chat.answer(await ask(call), 'Allow', 'ada')
  expect(await lastBody()).toMatchObject({ outcome: 'approved' })
  await chat.answer(await ask(call), 'Deny', 'ada')
  expect(await lastBody()).toMatchObject({ outcome: 'denied' })
  await chat.answer(await ask(call), 'allow it, but not today', 'ada')
  expect(await lastBody()).toMatchObject({ outcome: 'denied', reason: 'allow it, but not today' })
})

test('[A3] a verdict on what is no call, or with arguments that are none, is refused and changes nothing', async () => {
  const question = await ask(colours)
  await expect(chat.allow(question, undefined, 'ada')).rejects.toMatchObject({ code: 'no_verdict' })
  await expect(chat.deny(question, 'No', 'ada')).rejects.toMatchObject({ code: 'no_verdict' })
  const approval = await ask(call)
  for (const input of ['[]', '{', 'null', '"text"'])
    await expect(chat.allow(approval, input, 'ada')).rejects.toMatchObject({ code: 'bad_input' })
  expect((await chat.conversation('work')).open.map(({ id }) => id)).toEqual([question, approval])
})

test('[Q17] an answer names options: one of them, several where several are wanted, or none of them', async () => {
  await chat.choose(await ask(colours), ['Blue'], 'ada')
  expect(await lastBody()).toMatchObject({ outcome: 'answered', reply: 'Blue', choices: ['Blue'] })
  await chat.choose(await ask({ ...colours, multi_select: true }), ['Blue', 'Red', 'Blue'], 'ada')
  expect(await lastBody()).toMatchObject({ reply: 'Red, Blue', choices: ['Red', 'Blue'] })
  await chat.answer(await ask(colours), 'Red', 'ada')
  expect(await lastBody()).toMatchObject({ reply: 'Red', choices: ['Red'] })
  await chat.answer(await ask(colours), 'Green, if you can', 'ada')
  expect(await lastBody()).toMatchObject({ reply: 'Green, if you can' })
  expect(await lastBody()).not.toHaveProperty('choices')
})

test('[Q17] a choice that is not offered, or too many, is refused and the question stays open', async () => {
  const question = await ask(colours)
  await expect(chat.choose(question, ['Green'], 'ada')).rejects.toMatchObject({ code: 'unknown_choice' })
  await expect(chat.choose(question, ['Red', 'Blue'], 'ada')).rejects.toMatchObject({ code: 'one_choice' })
  await expect(chat.choose(question, [], 'ada')).rejects.toMatchObject({ code: 'one_choice' })
  expect((await chat.conversation('work')).open).toHaveLength(1)
})
