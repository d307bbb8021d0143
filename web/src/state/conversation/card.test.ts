import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { View } from '../../../../src/chat/view.ts'
import { openHub } from '../../../../src/hub/hub.ts'
import { ask } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub, temporaryFolder, viewOf } from '../../../../test/support/hub.ts'
import { openPageState, talkOf } from '../../../../test/support/page-state.ts'
import { freePort } from '../../../../test/support/process.ts'
import { answerAll, cardOf, goOn, rewrite, stageDraft } from './card.ts'
import type { Talk } from './talk.svelte.ts'

const COLOUR = { text: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }
const SIZES = { text: 'Which sizes?', options: [{ label: 'S' }, { label: 'L' }], multi_select: true }
const NAME = { text: 'Which name?' }

/** All in one call. */
async function askTogether(view: View) {
  const asking = [COLOUR, SIZES, NAME].map((question) => ({ by: 'agent', ...question, key: randomUUID() }))
  await view.agentService().ask('work', asking, { title: 'Work', given: { replies: [], awaited: [] } })
}

async function openPage(url: string) {
  const page = await openPageState(url)
  return { page, talk: await talkOf(page, 'work') }
}

function type(talk: Talk, text: string) {
  talk.draft = text
  expect(stageDraft(talk)).toBe(true)
}

/** Red, L, and a name that is typed. */
function answer(talk: Talk) {
  const [colour, sizes] = talk.open
  if (!colour || !sizes) throw new Error('They are open')
  talk.attemptAt(colour.id).choices = ['Red']
  goOn(talk, colour)
  talk.attemptAt(sizes.id).toggle('L')
  goOn(talk, sizes)
  type(talk, 'Parley')
}

const ANSWERS = ['Red', 'L', 'Parley']

function exchangeOf(talk: Talk) {
  const row = talk.rows.find(({ kind }) => kind === 'exchange')
  if (row?.kind !== 'exchange') throw new Error('There is an exchange')
  return row
}

const settled = ({ timeline }: Talk) => timeline.entries.filter(({ body }) => body.kind === 'settlement')

test('[U120] questions of one call are one card, and others are cards of their own', async () => {
  const { url, view } = await startHub()
  await ask(view, { by: 'other', text: 'Anyone?' })
  await askTogether(view)
  const { talk } = await openPage(url)
  expect(talk.cards.map((card) => card.map(({ text }) => text))).toEqual([
    ['Anyone?'],
    ['Which colour?', 'Which sizes?', 'Which name?'],
  ])
})

test('[U120] nothing is sent before all is, and until then each answer can be changed', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const { page, talk } = await openPage(url)
  answer(talk)
  expect([talk.pending, talk.draft, talk.question?.text]).toEqual([[], '', 'Which name?'])
  const [colour, , name] = talk.open
  if (!colour || !name) throw new Error('They are open')
  rewrite(talk, name)
  expect([talk.draft, talk.target, talk.attemptAt(name.id).isAnswered]).toEqual([
    'Parley',
    { kind: 'reply', question: name.id },
    false,
  ])
  type(talk, 'Palaver')
  talk.attemptAt(colour.id).choices = ['Blue']
  answerAll(page.person, talk, cardOf(talk, colour))
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(settled(talk).map(({ body }) => body)).toMatchObject([
    { choices: ['Blue'] },
    { choices: ['L'] },
    { reply: 'Palaver' },
  ])
})

test('[U120] after an answer comes the next question without one, round the end', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const { talk } = await openPage(url)
  const [colour, sizes] = talk.open
  if (!colour || !sizes) throw new Error('They are open')
  talk.turnTo(sizes.id)
  talk.attemptAt(sizes.id).toggle('S')
  goOn(talk, sizes)
  expect(talk.question?.text).toBe('Which name?')
  type(talk, 'Parley')
  expect(talk.question?.text).toBe('Which colour?')
  type(talk, 'Green')
  expect(talk.question?.text).toBe('Which colour?')
})

test('[U122] an exchange is one row, from its questions to its answers, and each device shows whose they are', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const [here, there] = [await openPage(url), await openPage(url)]
  const asked = exchangeOf(here.talk)
  expect(asked.asked.map(({ text, open }) => [text, open])).toEqual([
    ['Which colour?', true],
    ['Which sizes?', true],
    ['Which name?', true],
  ])
  answer(here.talk)
  answerAll(here.page.person, here.talk, here.talk.open)
  expect(exchangeOf(here.talk)).toMatchObject({ key: asked.key, id: asked.id, delivery: 'sending' })
  for (const { talk } of [here, there]) {
    await eventually(() => expect(exchangeOf(talk).delivery).toBe('accepted'))
    expect(exchangeOf(talk).asked.map(({ answer }) => answer?.text)).toEqual(ANSWERS)
    expect(talk.rows).toHaveLength(1)
  }
})

test('[U122] what ends without an answer says so in its place', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const { talk } = await openPage(url)
  await view.interrupt('work')
  await eventually(() => expect(talk.open).toEqual([]))
  expect(exchangeOf(talk).asked.map(({ ended }) => ended)).toEqual(Array(3).fill('The question was withdrawn'))
})

test('[U126] answers that are sent while the hub is away are sent once, all together, when it is back', async () => {
  const data = await temporaryFolder()
  const port = await freePort()
  const before = await openHub({ host: '127.0.0.1', port, data })
  await askTogether(viewOf(before))
  const { page, talk } = await openPage(before.url)
  await before.close()
  await eventually(() => expect(page.link.status).toBe('lost'))
  answer(talk)
  answerAll(page.person, talk, talk.open)
  expect([talk.open, exchangeOf(talk).delivery]).toEqual([[], 'sending'])
  const after = await openHub({ host: '127.0.0.1', port, data })
  onTestFinished(after.close)
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(settled(talk)).toHaveLength(3)
  expect(exchangeOf(talk).asked.map(({ answer }) => answer?.text)).toEqual(ANSWERS)
})

test('[U126] where somebody else answered one of them first, the others come back with their answers', async () => {
  const { url, view } = await startHub()
  await askTogether(view)
  const { page, talk } = await openPage(url)
  answer(talk)
  const asked = talk.open
  const colour = asked[0]?.id ?? ''
  await view.answer(colour, 'Neither')
  await eventually(() => expect(talk.open).toHaveLength(2))
  // As it is when both answer at the same time.
  talk.attemptAt(colour).choices = ['Red']
  answerAll(page.person, talk, asked)
  await eventually(() => expect(talk.problem).toBe('This question is not open any more'))
  expect(talk.open.map(({ id }) => talk.attemptAt(id).isAnswered)).toEqual([true, true])
  answerAll(page.person, talk, talk.open)
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(exchangeOf(talk).asked.map(({ answer }) => answer?.text)).toEqual(['Neither', 'L', 'Parley'])
})
