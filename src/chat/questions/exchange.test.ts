import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ask, forever, openTestChat, until } from '../../../test/support/chat.ts'
import type { View } from '../view.ts'

const COLOURS = { text: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const SIZES = { text: 'Which sizes?', options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }], multi_select: true }
const NAME = { text: 'Which name?' }

const open = async (view: View) => (await view.conversation('work')).open
const length = async (view: View) => (await view.page('work', { limit: 100 })).entries.length

const ALL = [COLOURS, SIZES, NAME]

/** All in one call, which nobody waits for; the ids of those questions. */
async function askTogether(view: View, questions: { text: string }[] = ALL, by = 'agent'): Promise<string[]> {
  const asking = questions.map((question) => ({ by, ...question, key: randomUUID() }))
  const more = { title: 'Work' }
  const asked = await view.agentService().ask('work', asking, more)
  return 'questions' in asked ? asked.questions : []
}

test('[Q37] the questions of one call have their exchange in common, and no other question has it', async () => {
  const { view } = openTestChat()
  const alone = await ask(view, { by: 'agent', text: 'Anyone there?' })
  await view.answer(alone, 'Yes')
  await askTogether(view)
  await askTogether(view, [NAME, { text: 'Which place?' }], 'other')
  const exchanges = (await open(view)).map(({ exchange }) => exchange)
  expect(new Set(exchanges.slice(0, 3)).size).toBe(1)
  expect(new Set(exchanges.slice(3)).size).toBe(1)
  expect(exchanges[0]).not.toBe(exchanges[3])
  expect(exchanges).not.toContain(undefined)
  const { entries } = await view.page('work', { limit: 100 })
  expect(entries.find(({ id }) => id === alone)?.body).not.toHaveProperty('exchange')
})

test('[Q37] asked again in another call, the questions that are open stay one exchange', async () => {
  const { view } = openTestChat()
  const ids = await askTogether(view)
  const before = await open(view)
  expect(await askTogether(view)).toEqual(ids)
  expect(await open(view)).toEqual(before)
})

test('[Q38] answers to several questions are one append, and the call that asked them gets all', async () => {
  const { view } = openTestChat()
  const session = view.agentSession({ conversation: 'work', title: 'Work' })
  const call = session.ask(
    ALL.map((question) => ({ by: 'agent', ...question })),
    forever,
  )
  await until(async () => (await open(view)).length === 3)
  const [colour = '', sizes = '', name = ''] = (await open(view)).map(({ id }) => id)
  const before = await length(view)
  const answers = [
    { question: colour, choices: ['Blue'], text: 'The dark one' },
    { question: sizes, choices: ['L', 'S'] },
    { question: name, text: 'Parley' },
  ]
  const last = await view.answerAll(answers, 'key')
  expect((await call).settlements).toMatchObject([
    { reply: 'Blue\n\nThe dark one', choices: ['Blue'] },
    { reply: 'S, L', choices: ['S', 'L'] },
    { reply: 'Parley' },
  ])
  expect(await view.answerAll(answers, 'key')).toEqual(last)
  const { entries } = await view.page('work', { limit: 100 })
  expect(entries.slice(before, before + 3).map(({ key }) => key)).toEqual(['key:0', 'key:1', 'key'])
  expect(entries.filter(({ body }) => body.kind === 'settlement')).toHaveLength(3)
})

test('[Q38] where one of the answers cannot count, none does', async () => {
  const { view } = openTestChat()
  const [colour = '', sizes = '', name = ''] = await askTogether(view)
  const approval = { tool_name: 'Bash', input: '{}' }
  const call = await ask(view, { by: 'agent', text: 'May I?', approval })
  const elsewhere = await ask(view, { by: 'agent', text: 'There?' }, 'other')
  const over = await ask(view, { by: 'agent', text: 'Over?' })
  await view.answer(over, 'Yes')
  const before = await view.last()
  const good = [
    { question: colour, choices: ['Red'] },
    { question: name, text: 'Parley' },
  ]
  const wrong: [object, string][] = [
    [{ question: sizes, choices: ['XL'] }, 'unknown_choice'],
    [{ question: over, text: 'No' }, 'question_settled'],
    [{ question: call, text: 'Allow' }, 'invalid'],
    [{ question: elsewhere, text: 'Here' }, 'invalid'],
    [{ question: '9'.repeat(16), text: 'Who?' }, 'unknown_question'],
    [{ question: sizes, choices: ['S'], attachments: [{ hash: 'a'.repeat(64), name: 'a' }] }, 'unknown_file'],
  ]
  for (const [bad, code] of wrong)
    await expect(view.answerAll([...good, bad as (typeof good)[0]], 'key')).rejects.toMatchObject({ code })
  expect(await view.last()).toBe(before)
})
