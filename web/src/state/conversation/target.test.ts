import { expect, test } from 'vitest'
import { ask } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { draftStore, openPageState, talkOf } from '../../../../test/support/page-state.ts'
import { Drafts } from '../list/drafts.ts'
import { Preferences } from '../list/preferences.svelte.ts'
import { Talk } from './talk.svelte.ts'

const question = { by: 'agent', text: 'Which colour?' }
const offered = { ...question, options: [{ label: 'Red' }, { label: 'Blue' }], multi_select: true }
const approval = { by: 'agent', text: 'May I?', approval: { tool_name: 'Bash', input: '{"command":"rm -r /"}' } }

async function openPage() {
  const { url, view } = await startHub()
  await view.say('work', { text: 'Hello' })
  const page = await openPageState(url)
  return { page, view, talk: await talkOf(page, 'work') }
}

/** What the hub has of it, oldest first, without the first message. */
async function told(view: Awaited<ReturnType<typeof openPage>>['view']) {
  const { entries } = await view.page('work', { limit: 100 })
  return entries
    .map(({ body }) => body)
    .filter(({ kind }) => kind === 'message' || kind === 'settlement')
    .slice(1)
}

const PHASES = ['with its first letter', 'with all its words', 'with files alone', 'when it was erased and begun again']

for (const arrives of [question, approval]) {
  const what = arrives === approval ? 'an approval' : 'a question'
  test.each(PHASES)(`[U80] ${what} that arrives does not capture a draft %s`, async (phase) => {
    const { page, view, talk } = await openPage()
    if (phase.includes('erased')) {
      talk.draft = 'x'
      talk.draft = ''
    }
    if (phase.includes('files')) talk.hold()
    else talk.draft = phase.includes('letter') ? 'G' : 'Go on'
    const id = await ask(view, arrives)
    await eventually(() => expect(talk.question?.id).toBe(id))
    expect(talk.target).toEqual({ kind: 'message' })
    talk.draft = 'Go on'
    page.person.sendDraft(talk)
    await eventually(() => expect(talk.pending).toEqual([]))
    expect(await told(view)).toMatchObject([{ kind: 'message', text: 'Go on' }])
    expect(talk.question?.id).toBe(id)
    expect(talk.target.kind).toBe(arrives === approval ? 'message' : 'reply')
  })
}

test('[U80] a reply that was begun stays the reply to its question, whatever else is asked', async () => {
  const { page, view, talk } = await openPage()
  const first = await ask(view, question)
  await eventually(() => expect(talk.target).toEqual({ kind: 'reply', question: first }))
  talk.draft = 'Bl'
  const second = await ask(view, approval)
  await eventually(() => expect(talk.open).toHaveLength(2))
  talk.turnTo(second)
  expect(talk.target).toEqual({ kind: 'reply', question: first })
  talk.draft = 'Blue'
  page.person.sendDraft(talk)
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(await told(view)).toMatchObject([{ question: first, reply: 'Blue' }])
})

test('[U80] a reply whose question is answered elsewhere becomes a message, and the reply to no other', async () => {
  const { page, view, talk } = await openPage()
  const first = await ask(view, question)
  await eventually(() => expect(talk.question?.id).toBe(first))
  talk.draft = 'Blue'
  await ask(view, { ...question, text: 'And the size?' })
  await view.answer(first, 'Red')
  await eventually(() => expect(talk.open).toHaveLength(1))
  await eventually(() => expect(talk.question?.id).not.toBe(first))
  expect(talk.target).toEqual({ kind: 'message' })
  page.person.sendDraft(talk)
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(await told(view)).toMatchObject([{ reply: 'Red' }, { kind: 'message', text: 'Blue' }])
})

test('[U81] the person changes the target: to what is in the dock, to a message, and back', async () => {
  const { view, talk } = await openPage()
  expect(talk.otherTarget).toBeUndefined()
  talk.draft = 'Blue'
  const id = await ask(view, question)
  await eventually(() => expect(talk.otherTarget).toEqual({ kind: 'reply', question: id }))
  talk.aimAt({ kind: 'reply', question: id })
  expect([talk.target, talk.otherTarget]).toEqual([{ kind: 'reply', question: id }, { kind: 'message' }])
  const call = await ask(view, approval)
  await eventually(() => expect(talk.open).toHaveLength(2))
  talk.turnTo(call)
  expect(talk.otherTarget).toEqual({ kind: 'denial', question: call })
})

test('[U80] a draft keeps its target over a reload', async () => {
  const { view, talk } = await openPage()
  const id = await ask(view, question)
  await eventually(() => expect(talk.question?.id).toBe(id))
  const drafts = new Drafts(draftStore(), new Preferences())
  const before = new Talk(talk.state, drafts)
  before.draft = 'Bl'
  const asked = { ...talk.state, open: [...talk.state.open].reverse() }
  const reloaded = new Talk(asked, drafts)
  expect([reloaded.draft, reloaded.target]).toEqual(['Bl', { kind: 'reply', question: id }])
  const answered = new Talk({ ...talk.state, open: [] }, drafts)
  expect(answered.target).toEqual({ kind: 'message' })
  reloaded.draft = ''
  expect(new Talk(asked, drafts).isAimed).toBe(false)
})

test('[U82] options that are ticked go with what is typed, and come back together when they are refused', async () => {
  const { page, view, talk } = await openPage()
  const id = await ask(view, offered)
  await eventually(() => expect(talk.question?.id).toBe(id))
  talk.attemptAt(id).toggle('Blue')
  talk.attemptAt(id).toggle('Red')
  talk.draft = 'x'.repeat(2 ** 20)
  page.person.sendDraft(talk)
  await eventually(() => expect(talk.problem).toContain('limit'))
  expect([talk.draft.length, talk.attemptAt(id).choices]).toEqual([2 ** 20, ['Blue', 'Red']])
  talk.draft = 'but dark ones'
  page.person.sendDraft(talk)
  expect(talk.rows.at(-1)).toMatchObject({ kind: 'bubble', text: 'Red, Blue\n\nbut dark ones' })
  await eventually(() => expect(talk.pending).toEqual([]))
  expect(await told(view)).toMatchObject([{ reply: 'Red, Blue\n\nbut dark ones', choices: ['Red', 'Blue'] }])
})
