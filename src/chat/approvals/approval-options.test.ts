import { beforeEach, expect, test } from 'vitest'
import { openTestChat, person, ask as put } from '../../../test/support/chat.ts'
import type { View } from '../view.ts'

let view: View
let ada: View
let asked = 0

beforeEach(() => {
  const { chat, view: all } = openTestChat()
  view = all
  ada = person(chat, 'ada')
})

const options = [
  { id: 'once', label: 'Yes', kind: 'allow_once' },
  { id: 'always', label: 'Yes, and do not ask again', kind: 'allow_always' },
  { id: 'no', label: 'No', kind: 'reject_once' },
  { id: 'never', label: 'Never', kind: 'reject_always' },
] as const
const call = { tool_name: 'Bash', input: '{"command":"ls"}' }

function ask(approval: typeof call & { options?: typeof options }): Promise<string> {
  return put(view, { by: 'agent', text: `Allow Bash? ${++asked}`, approval: approval as typeof call })
}

async function lastBody() {
  return (await view.page('work', { limit: 1 })).entries[0]?.body
}

test.each([
  ['once', 'approved'],
  ['always', 'approved'],
  ['no', 'denied'],
  ['never', 'denied'],
])('[A36] the option %s that an agent offers is %s, and the log says which one it was', async (option, outcome) => {
  const question = await ask({ ...call, options })
  const { id } = await ada.takeOption(question, option, 'k1')
  expect(await lastBody()).toEqual({ kind: 'settlement', question, by: 'ada', outcome, option })
  expect((await ada.takeOption(question, option, 'k1')).id).toBe(id)
  await expect(ada.takeOption(question, 'no', 'k2')).rejects.toMatchObject({ code: 'question_settled' })
})

test('[A37] an option that a call does not have is refused and changes nothing', async () => {
  const question = await ask({ ...call, options })
  const plain = await ask(call)
  const words = await put(view, { by: 'agent', text: 'Which?', options: [{ label: 'once' }] })
  await expect(ada.takeOption(question, 'Yes')).rejects.toThrow('"Yes" is not one of the options')
  await expect(ada.takeOption(plain, 'once')).rejects.toMatchObject({ code: 'unknown_choice' })
  await expect(ada.takeOption(words, 'once')).rejects.toMatchObject({ code: 'no_verdict' })
  expect((await view.conversation('work')).open).toHaveLength(3)
})

test('[A38] a call with options is not allowed in any other way, and can be denied with a reason', async () => {
  const question = await ask({ ...call, options })
  const wanted = { code: 'option_wanted' }
  await expect(ada.allow(question, undefined)).rejects.toMatchObject(wanted)
  await expect(ada.allow(question, '{"command":"rm"}')).rejects.toMatchObject(wanted)
  await expect(ada.allowAlways(question, undefined)).rejects.toMatchObject(wanted)
  await expect(ada.answer(question, 'Allow')).rejects.toMatchObject(wanted)
  await ada.deny(question, 'Not here')
  expect(await lastBody()).toMatchObject({ outcome: 'denied', reason: 'Not here' })
  expect(await lastBody()).not.toHaveProperty('option')
})

test('[A38] a tool that is always allowed does not allow a call with options, neither the next nor one that waits', async () => {
  const waiting = await ask({ ...call, options })
  await ada.allowAlways(await ask(call), undefined)
  const next = await ask({ ...call, options })
  expect((await view.conversation('work')).open.map(({ id }) => id)).toEqual([waiting, next])
})

test('[A39] in words an option is taken by its label, unless it allows for more than once', async () => {
  await ada.answer(await ask({ ...call, options }), ' Yes ')
  expect(await lastBody()).toMatchObject({ outcome: 'approved', option: 'once' })
  await ada.answer(await ask({ ...call, options }), 'Never')
  expect(await lastBody()).toMatchObject({ outcome: 'denied', option: 'never' })
  await ada.answer(await ask({ ...call, options }), 'Yes, and do not ask again')
  expect(await lastBody()).toMatchObject({ outcome: 'denied', reason: 'Yes, and do not ask again' })
})
