import { expect, test } from 'vitest'
import { ask } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { conversationOf, draftStore, openPageState } from '../../../../test/support/page-state.ts'
import { Drafts } from '../list/drafts.ts'
import { Preferences } from '../list/preferences.svelte.ts'
import { Conversation } from './conversation.svelte.ts'

const question = { by: 'agent', text: 'Which colour?' }
const offered = { ...question, options: [{ label: 'Red' }, { label: 'Blue' }], multi_select: true }
const approval = { by: 'agent', text: 'May I?', approval: { tool_name: 'Bash', input: '{"command":"rm -r /"}' } }

async function openPage() {
  const { url, view } = await startHub()
  await view.say('work', { text: 'Hello' })
  const page = await openPageState(url)
  return { page, view, conversation: await conversationOf(page, 'work') }
}

/** The hub's entries of it, oldest first, without the first message. */
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
    const { page, view, conversation } = await openPage()
    if (phase.includes('erased')) {
      conversation.draft = 'x'
      conversation.draft = ''
    }
    if (phase.includes('files')) conversation.hold()
    else conversation.draft = phase.includes('letter') ? 'G' : 'Go on'
    const id = await ask(view, arrives)
    await eventually(() => expect(conversation.question?.id).toBe(id))
    expect(conversation.target).toEqual({ kind: 'message' })
    conversation.draft = 'Go on'
    page.person.sendDraft(conversation)
    await eventually(() => expect(conversation.pending).toEqual([]))
    expect(await told(view)).toMatchObject([{ kind: 'message', text: 'Go on' }])
    expect(conversation.question?.id).toBe(id)
    expect(conversation.target.kind).toBe(arrives === approval ? 'message' : 'reply')
  })
}

test('[U80] a reply that was begun stays the reply to its question, whatever else is asked', async () => {
  const { page, view, conversation } = await openPage()
  const first = await ask(view, question)
  await eventually(() => expect(conversation.target).toEqual({ kind: 'reply', question: first }))
  conversation.draft = 'Bl'
  const second = await ask(view, approval)
  await eventually(() => expect(conversation.open).toHaveLength(2))
  conversation.turnTo(second)
  expect(conversation.target).toEqual({ kind: 'reply', question: first })
  conversation.draft = 'Blue'
  page.person.sendDraft(conversation)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(await told(view)).toMatchObject([{ question: first, reply: 'Blue' }])
})

test('[U80] a reply whose question is answered elsewhere becomes a message, and the reply to no other', async () => {
  const { page, view, conversation } = await openPage()
  const first = await ask(view, question)
  await eventually(() => expect(conversation.question?.id).toBe(first))
  conversation.draft = 'Blue'
  await ask(view, { ...question, text: 'And the size?' })
  await view.answer(first, 'Red')
  await eventually(() => expect(conversation.open).toHaveLength(1))
  await eventually(() => expect(conversation.question?.id).not.toBe(first))
  expect(conversation.target).toEqual({ kind: 'message' })
  page.person.sendDraft(conversation)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(await told(view)).toMatchObject([{ reply: 'Red' }, { kind: 'message', text: 'Blue' }])
})

test('[U81] the person changes the target: to what is in the dock, to a message, and back', async () => {
  const { view, conversation } = await openPage()
  expect(conversation.otherTarget).toBeUndefined()
  conversation.draft = 'Blue'
  const id = await ask(view, question)
  await eventually(() => expect(conversation.otherTarget).toEqual({ kind: 'reply', question: id }))
  conversation.aimAt({ kind: 'reply', question: id })
  expect([conversation.target, conversation.otherTarget]).toEqual([
    { kind: 'reply', question: id },
    { kind: 'message' },
  ])
  const call = await ask(view, approval)
  await eventually(() => expect(conversation.open).toHaveLength(2))
  conversation.turnTo(call)
  expect(conversation.otherTarget).toEqual({ kind: 'denial', question: call })
})

test('[U80] a draft keeps its target over a reload', async () => {
  const { view, conversation } = await openPage()
  const id = await ask(view, question)
  await eventually(() => expect(conversation.question?.id).toBe(id))
  const drafts = new Drafts(draftStore(), new Preferences())
  const before = new Conversation(conversation.state, drafts)
  before.draft = 'Bl'
  const asked = { ...conversation.state, open: [...conversation.state.open].reverse() }
  const reloaded = new Conversation(asked, drafts)
  expect([reloaded.draft, reloaded.target]).toEqual(['Bl', { kind: 'reply', question: id }])
  const answered = new Conversation({ ...conversation.state, open: [] }, drafts)
  expect(answered.target).toEqual({ kind: 'message' })
  reloaded.draft = ''
  expect(new Conversation(asked, drafts).isAimed).toBe(false)
})

test('[U82] options that are ticked go with what is typed, and come back together when they are refused', async () => {
  const { page, view, conversation } = await openPage()
  const id = await ask(view, offered)
  await eventually(() => expect(conversation.question?.id).toBe(id))
  conversation.attemptAt(id).toggle('Blue')
  conversation.attemptAt(id).toggle('Red')
  conversation.draft = 'x'.repeat(2 ** 20)
  page.person.sendDraft(conversation)
  await eventually(() => expect(conversation.problem).toContain('limit'))
  expect([conversation.draft.length, conversation.attemptAt(id).choices]).toEqual([2 ** 20, ['Blue', 'Red']])
  conversation.draft = 'but dark ones'
  page.person.sendDraft(conversation)
  expect(conversation.rows.at(-1)).toMatchObject({ kind: 'bubble', text: 'Red, Blue\n\nbut dark ones' })
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(await told(view)).toMatchObject([{ reply: 'Red, Blue\n\nbut dark ones', choices: ['Red', 'Blue'] }])
})
