import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { View } from '../../../../src/chat/view.ts'
import { ask } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { openTestHub, startHub, temporaryFolder, viewOf } from '../../../../test/support/hub.ts'
import { conversationOf, openPageState } from '../../../../test/support/page-state.ts'
import { freePort } from '../../../../test/support/process.ts'
import { answerAll, cardOf, goOn, rewrite, stageDraft } from './card.ts'
import type { Conversation } from './conversation.svelte.ts'

const COLOUR = { text: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const SIZES = { text: 'Which sizes?', options: [{ label: 'S' }, { label: 'L' }], multi_select: true }
const NAME = { text: 'Which name?' }

/** All in one call. */
async function askTogether(view: View) {
  const asking = [COLOUR, SIZES, NAME].map((question) => ({ by: 'agent', ...question, key: randomUUID() }))
  await view.agentService().ask('work', asking, { title: 'Work' })
}

async function openPage(url: string) {
  const page = await openPageState(url)
  return { page, conversation: await conversationOf(page, 'work') }
}

function type(conversation: Conversation, text: string) {
  conversation.draft = text
  expect(stageDraft(conversation)).toBe(true)
}

/** Red, L, and a name that is typed. */
function answer(conversation: Conversation) {
  const [colour, sizes] = conversation.open
  if (!colour || !sizes) throw new Error('They are open')
  conversation.attemptAt(colour.id).choices = ['Red']
  goOn(conversation, colour)
  conversation.attemptAt(sizes.id).toggle('L')
  goOn(conversation, sizes)
  type(conversation, 'Parley')
}

const ANSWERS = ['Red', 'L', 'Parley']

function exchangeOf(conversation: Conversation) {
  const row = conversation.rows.find(({ kind }) => kind === 'exchange')
  if (row?.kind !== 'exchange') throw new Error('There is an exchange')
  return row
}

const settled = ({ timeline }: Conversation) => timeline.entries.filter(({ body }) => body.kind === 'settlement')

test('[U120] questions of one call are one card, and others are cards of their own', async () => {
  const { url, view } = await startHub()
  await ask(view, { by: 'other', text: 'Anyone?' })
  await askTogether(view)
  const { conversation } = await openPage(url)
  expect(conversation.cards.map((card) => card.map(({ text }) => text))).toEqual([
    ['Anyone?'],
    ['Which colour?', 'Which sizes?', 'Which name?'],
  ])
})

test('[U120] nothing is sent before all is, and until then each answer can be changed', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const { page, conversation } = await openPage(url)
  answer(conversation)
  expect([conversation.pending, conversation.draft, conversation.question?.text]).toEqual([[], '', 'Which name?'])
  const [colour, , name] = conversation.open
  if (!colour || !name) throw new Error('They are open')
  rewrite(conversation, name)
  expect([conversation.draft, conversation.target, conversation.attemptAt(name.id).isAnswered]).toEqual([
    'Parley',
    { kind: 'reply', question: name.id },
    false,
  ])
  type(conversation, 'Palaver')
  conversation.attemptAt(colour.id).choices = ['Blue']
  answerAll(page.person, conversation, cardOf(conversation, colour))
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(settled(conversation).map(({ body }) => body)).toMatchObject([
    { choices: ['Blue'] },
    { choices: ['L'] },
    { reply: 'Palaver' },
  ])
})

test('[U120] after an answer comes the next question without one, round the end', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const { conversation } = await openPage(url)
  const [colour, sizes] = conversation.open
  if (!colour || !sizes) throw new Error('They are open')
  conversation.turnTo(sizes.id)
  conversation.attemptAt(sizes.id).toggle('S')
  goOn(conversation, sizes)
  expect(conversation.question?.text).toBe('Which name?')
  type(conversation, 'Parley')
  expect(conversation.question?.text).toBe('Which colour?')
  type(conversation, 'Green')
  expect(conversation.question?.text).toBe('Which colour?')
})

test('[U122] an exchange is one row, from its questions to its answers, and each device shows whose they are', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const [here, there] = [await openPage(url), await openPage(url)]
  const asked = exchangeOf(here.conversation)
  expect(asked.asked.map(({ text, open }) => [text, open])).toEqual([
    ['Which colour?', true],
    ['Which sizes?', true],
    ['Which name?', true],
  ])
  answer(here.conversation)
  answerAll(here.page.person, here.conversation, here.conversation.open)
  expect(exchangeOf(here.conversation)).toMatchObject({ key: asked.key, id: asked.id, delivery: 'sending' })
  for (const { conversation } of [here, there]) {
    await eventually(() => expect(exchangeOf(conversation).delivery).toBe('accepted'))
    expect(exchangeOf(conversation).asked.map(({ answer }) => answer?.text)).toEqual(ANSWERS)
    expect(conversation.rows).toHaveLength(1)
  }
})

test('[U122] what ends without an answer says so in its place', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const { conversation } = await openPage(url)
  await view.interrupt('work')
  await eventually(() => expect(conversation.open).toEqual([]))
  expect(exchangeOf(conversation).asked.map(({ ended }) => ended)).toEqual(Array(3).fill('The question was withdrawn'))
})

test('[U126] answers that are sent while the hub is away are sent once, all together, when it is back', async () => {
  const data = await temporaryFolder()
  const port = await freePort()
  const before = await openTestHub({ host: '127.0.0.1', port, data })
  await askTogether(viewOf(before))
  const { page, conversation } = await openPage(before.url)
  await before.close()
  await eventually(() => expect(page.link.status).toBe('lost'))
  answer(conversation)
  answerAll(page.person, conversation, conversation.open)
  expect([conversation.open, exchangeOf(conversation).delivery]).toEqual([[], 'sending'])
  const after = await openTestHub({ host: '127.0.0.1', port, data })
  onTestFinished(after.close)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(settled(conversation)).toHaveLength(3)
  expect(exchangeOf(conversation).asked.map(({ answer }) => answer?.text)).toEqual(ANSWERS)
})

test('[U126] where somebody else answered one of them first, the others come back with their answers', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const { page, conversation } = await openPage(url)
  answer(conversation)
  const asked = conversation.open
  const colour = asked[0]?.id ?? ''
  await view.answer(colour, 'Neither')
  await eventually(() => expect(conversation.open).toHaveLength(2))
  // This is as if both had answered at the same time.
  conversation.attemptAt(colour).choices = ['Red']
  answerAll(page.person, conversation, asked)
  await eventually(() => expect(conversation.problem).toBe('This question is no longer open'))
  expect(conversation.open.map(({ id }) => conversation.attemptAt(id).isAnswered)).toEqual([true, true])
  answerAll(page.person, conversation, conversation.open)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(exchangeOf(conversation).asked.map(({ answer }) => answer?.text)).toEqual(['Neither', 'L', 'Parley'])
})
