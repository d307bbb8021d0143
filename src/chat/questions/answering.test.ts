import { expect, test } from 'vitest'
import { openTestChat, reached } from '../../../test/support/chat.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { answeredBy, createAnswering } from './answering.ts'

test('[Q55] a message says which one it answers, and its agent gets the beginning of that', async () => {
  const { view } = openTestChat()
  const told = await view.tell('work', { by: 'kimi', text: `Two ways:\n\n${'a'.repeat(300)}` })
  const { id } = await view.say('work', { text: 'The first', answers: told.id })
  const own = await view.say('work', { text: 'And about this', answers: id })
  expect(own.body).toMatchObject({ answers: id })
  const { earlier } = await reached(view.agentSession({ conversation: 'work', title: 'work' })).messages()
  expect(earlier).toMatchObject([
    { text: 'The first', in_reply_to: `Two ways: ${'a'.repeat(190)}…` },
    { text: 'And about this', in_reply_to: 'The first' },
  ])
})

test('[Q55] what was taken back is quoted to nobody', async () => {
  const { view } = openTestChat()
  const secret = await view.say('work', { text: 'Secret' })
  await view.say('work', { text: 'Forget that', answers: secret.id })
  await view.revise('work', secret.id, undefined)
  const { earlier } = await reached(view.agentSession({ conversation: 'work', title: 'work' })).messages()
  expect(earlier.map(({ text, in_reply_to }) => [text, in_reply_to])).toEqual([['Forget that', undefined]])
})

test('[Q55] what is not said in the conversation cannot be answered, and what was said next keeps its place', async () => {
  const { view } = openTestChat()
  const elsewhere = await view.say('other', { text: 'Hello' })
  const here = await view.say('work', { text: 'Hello' })
  const title = await view.rename('work', 'Work')
  const said = ['0000000000009999', elsewhere.id, title.id, here.id].map((answers) =>
    view.say('work', { text: answers, answers }),
  )
  const next = view.say('work', { text: 'Next' })
  for (const refused of said.slice(0, 3)) await expect(refused).rejects.toThrow('Unknown message "')
  await Promise.all([said[3], next])
  const { entries } = await view.page('work', { limit: 2 })
  expect(entries.map(({ body }) => 'text' in body && body.text)).toEqual([here.id, 'Next'])
})

test('[Q55] while what is answered is looked for, what was said first comes first, also behind a second look', async () => {
  const looks = new Map(['slow', 'slower'].map((id) => [id, Promise.withResolvers<void>()]))
  const entry = async (id: string) => {
    await looks.get(id)?.promise
    return {
      id,
      at: 0,
      conversation: 'work',
      body: { kind: 'message', by: 'kimi', author: 'assistant', text: id },
    } as Entry
  }
  const { inTurn } = createAnswering({ entry, amended: async (entries) => entries })
  const said: string[] = []
  const say = (words: string) => async () => {
    said.push(words)
    return entry('said')
  }
  const first = inTurn('work', 'slow', say('first'))
  const second = inTurn('work', 'slower', say('second'))
  looks.get('slow')?.resolve()
  await first
  const third = inTurn('work', undefined, say('third'))
  looks.get('slower')?.resolve()
  await Promise.all([second, third])
  expect(said).toEqual(['first', 'second', 'third'])
})

test('[Q55] a reply is about its question, and an outcome without one about nothing', () => {
  const settlement = { kind: 'settlement', question: '7', by: 'ada', outcome: 'answered' } as const
  expect(answeredBy({ ...settlement, reply: '' })).toBe('7')
  expect(answeredBy({ ...settlement, outcome: 'expired' })).toBeUndefined()
  expect(answeredBy({ kind: 'message', author: 'user', by: 'ada', text: '', answers: '5' })).toBe('5')
})
