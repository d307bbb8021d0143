import { beforeEach, expect, test } from 'vitest'
import { openTestChat, person, ask as put } from '../../../test/support/chat.ts'
import type { Asking } from '../delivery/agent-service.ts'
import type { View } from '../view.ts'

let view: View
let ada: View
let asked = 0

beforeEach(() => {
  const { chat, view: all } = openTestChat()
  view = all
  ada = person(chat, 'ada')
})

const call = { by: 'agent', text: 'Allow Bash?', approval: { tool_name: 'Bash', input: '{"command":"ls"}' } }
const colours = { by: 'agent', text: 'Which?', options: [{ label: 'Red' }, { label: 'Blue', description: 'Calm' }] }

/** The same words again would be the same question. */
function ask(question: Omit<Asking, 'key'>): Promise<string> {
  return put(view, { ...question, text: `${question.text} ${++asked}` })
}

async function lastBody() {
  return (await view.page('work', { limit: 1 })).entries[0]?.body
}

test('[A1] a person allows a call once, with changed arguments or not, or denies it with a reason or without', async () => {
  await ada.allow(await ask(call), undefined)
  expect(await lastBody()).toMatchObject({ outcome: 'approved', by: 'ada' })
  expect(await lastBody()).not.toHaveProperty('input')
  await ada.allow(await ask(call), '{"command":"ls -l"}')
  expect(await lastBody()).toMatchObject({ outcome: 'approved', input: '{"command":"ls -l"}' })
  await ada.deny(await ask(call), 'Not here')
  expect(await lastBody()).toMatchObject({ outcome: 'denied', reason: 'Not here' })
  await ada.deny(await ask(call), undefined)
  expect(await lastBody()).toMatchObject({ outcome: 'denied' })
})

test('[A2] of what is replied to an approval in text, the very word allows and everything else denies', async () => {
  await ada.answer(await ask(call), 'Allow')
  expect(await lastBody()).toMatchObject({ outcome: 'approved' })
  await ada.answer(await ask(call), 'Deny')
  expect(await lastBody()).toMatchObject({ outcome: 'denied' })
  await ada.answer(await ask(call), 'allow it, but not today')
  expect(await lastBody()).toMatchObject({ outcome: 'denied', reason: 'allow it, but not today' })
})

test('[A3] a verdict on what is no call, or with arguments that are none, is refused and changes nothing', async () => {
  const question = await ask(colours)
  await expect(ada.allow(question, undefined)).rejects.toMatchObject({ code: 'no_verdict' })
  await expect(ada.deny(question, 'No')).rejects.toMatchObject({ code: 'no_verdict' })
  const approval = await ask(call)
  for (const input of ['[]', '{', 'null', '"text"'])
    await expect(ada.allow(approval, input)).rejects.toMatchObject({ code: 'bad_input' })
  expect((await view.conversation('work')).open.map(({ id }) => id)).toEqual([question, approval])
})

test('[Q17] an answer names options: one of them, several where several are wanted, or none of them', async () => {
  await ada.choose(await ask(colours), ['Blue'])
  expect(await lastBody()).toMatchObject({ outcome: 'answered', reply: 'Blue', choices: ['Blue'] })
  await ada.choose(await ask({ ...colours, multi_select: true }), ['Blue', 'Red', 'Blue'])
  expect(await lastBody()).toMatchObject({ reply: 'Red, Blue', choices: ['Red', 'Blue'] })
  await ada.answer(await ask(colours), 'Red')
  expect(await lastBody()).toMatchObject({ reply: 'Red', choices: ['Red'] })
  await ada.answer(await ask(colours), 'Green, if you can')
  expect(await lastBody()).toMatchObject({ reply: 'Green, if you can' })
  expect(await lastBody()).not.toHaveProperty('choices')
})

test('[Q17] a choice that is not offered, or too many, is refused and the question stays open', async () => {
  const question = await ask(colours)
  await expect(ada.choose(question, ['Green'])).rejects.toMatchObject({ code: 'unknown_choice' })
  await expect(ada.choose(question, ['Red', 'Blue'])).rejects.toMatchObject({ code: 'one_choice' })
  await expect(ada.choose(question, [])).rejects.toMatchObject({ code: 'one_choice' })
  expect((await view.conversation('work')).open).toHaveLength(1)
})
