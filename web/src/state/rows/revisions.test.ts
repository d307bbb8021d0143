import { expect, test } from 'vitest'
import { ERRORS } from '../../../../src/protocol/errors.ts'
import { ask, reached } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { conversationOf, draftStore, openPageState } from '../../../../test/support/page-state.ts'
import { beginChange, change, endChange, lastRevisable, sendChange, takeBack } from '../conversation/changing.ts'
import { Conversation } from '../conversation/conversation.svelte.ts'
import { Drafts } from '../list/drafts.ts'
import { Preferences } from '../list/preferences.svelte.ts'
import type { Bubble } from './row.ts'

async function openPage() {
  const { url, view } = await startHub()
  await view.tell('work', { by: 'kimi', text: 'Two ways' })
  const page = await openPageState(url)
  return { page, view, url, conversation: await conversationOf(page, 'work') }
}

const bubbles = ({ rows }: Conversation) => rows.filter((row): row is Bubble => row.kind === 'bubble')
const said = (conversation: Conversation) => bubbles(conversation).map(({ text, revised }) => [text, revised])

/** Resolves once it is with the hub. */
async function say(
  page: Awaited<ReturnType<typeof openPage>>['page'],
  conversation: Conversation,
  text: string,
): Promise<Bubble> {
  page.person.say(conversation, text)
  return eventually(() => {
    const row = bubbles(conversation).find((bubble) => bubble.text === text && bubble.delivery === 'accepted')
    if (!row || conversation.pending.length > 0) throw new Error(`${text} is not said yet`)
    return row
  })
}

test('[U171] what is taken back is gone at once, and once the hub agrees in every page', async () => {
  const { page, conversation, url } = await openPage()
  const other = await conversationOf(await openPageState(url), 'work')
  const row = await say(page, conversation, 'Secret')
  takeBack(page.person, conversation, row.key)
  expect(said(conversation)[1]).toEqual(['', 'taken_back'])
  for (const each of [conversation, other]) await eventually(() => expect(said(each)[1]).toEqual(['', 'taken_back']))
  await eventually(() => expect(conversation.revisions.list).toEqual([]))
  expect(conversation.revisions.wordsOf(row.key)).toBe('Secret')
})

test('[U172] changed words are there at once, and what was being written comes back', async () => {
  const { page, conversation, view } = await openPage()
  const row = await say(page, conversation, 'Frist')
  conversation.draft = 'Half a sen'
  beginChange(conversation, row)
  expect([conversation.draft, conversation.target]).toEqual(['Frist', { kind: 'change', message: row.key }])
  conversation.draft = ''
  conversation.draft = 'First'
  sendChange(page.person, conversation)
  expect([conversation.draft, conversation.target]).toEqual(['Half a sen', { kind: 'message' }])
  expect(said(conversation)[1]).toEqual(['First', 'changed'])
  await eventually(() => expect(conversation.revisions.list).toEqual([]))
  expect((await view.page('work', { limit: 10 })).entries.map(({ body }) => body.kind)).toEqual([
    'message',
    'message',
    'revision',
  ])
  beginChange(conversation, { ...row, text: 'First' })
  endChange(conversation)
  expect(conversation.draft).toBe('Half a sen')
})

test('[U174] a change that is refused is undone, and its words are kept with the reason', async () => {
  const { page, conversation, view } = await openPage()
  const row = await say(page, conversation, 'Old')
  beginChange(conversation, row)
  conversation.draft = 'New'
  await view.revise('work', row.id ?? '', undefined)
  await eventually(() => expect(said(conversation)[1]).toEqual(['', 'taken_back']))
  sendChange(page.person, conversation)
  await eventually(() => expect(conversation.problem).toBe(ERRORS.not_revisable.text))
  expect([conversation.draft, conversation.target, said(conversation)[1]]).toEqual([
    'New',
    { kind: 'message' },
    ['', 'taken_back'],
  ])
})

test('[U235] where an agent had a message, its change stands in its own place, too, and says how far it came', async () => {
  const { page, conversation, view, url } = await openPage()
  const other = await conversationOf(await openPageState(url), 'work')
  const row = await say(page, conversation, 'Old')
  const session = reached(view.agentSession({ conversation: 'work', title: 'work' }))
  await session.messages()
  await eventually(() => expect(bubbles(conversation)[1]?.delivery).toBe('delivered'))
  change(page.person, conversation, row.key, 'New')
  const changed = { text: 'New', change: true, reference: { id: row.id, text: 'Old' } }
  for (const each of [conversation, other])
    await eventually(() =>
      expect(bubbles(each).slice(1)).toMatchObject([
        { text: 'New', revised: 'changed' },
        { ...changed, delivery: 'accepted' },
      ]),
    )
  expect(bubbles(conversation)[2]?.who).toBeUndefined()
  await session.messages()
  await eventually(() => expect(bubbles(conversation)[2]?.delivery).toBe('delivered'))
  takeBack(page.person, conversation, row.key)
  const again = await conversationOf(await openPageState(url), 'work')
  for (const each of [conversation, other, again])
    await eventually(() => {
      expect(said(each).slice(1)).toEqual([['', 'taken_back']])
      expect(each.rows.flatMap((row) => (row.kind === 'note' ? row.text : []))).toEqual([
        'You changed an earlier message, which the agent had',
        'You took an earlier message back, which the agent had',
      ])
    })
})

test('[U175] what the hub never got is taken back into the composer, or goes once with its new words', async () => {
  const { page, conversation, view } = await openPage()
  page.link.close()
  page.link.status = 'lost'
  for (const text of ['Gone', 'Old', 'Stays']) page.person.say(conversation, text)
  const [gone, old] = conversation.pending
  takeBack(page.person, conversation, gone?.key ?? '')
  expect([conversation.draft, said(conversation).map(([text]) => text)]).toEqual(['Gone', ['Two ways', 'Old', 'Stays']])
  change(page.person, conversation, old?.key ?? '', 'New')
  page.link.open()
  await eventually(() => expect(conversation.pending).toEqual([]))
  const { entries } = await view.page('work', { limit: 10 })
  expect(entries.map(({ body }) => 'text' in body && body.text)).toEqual(['Two ways', 'Stays', 'New'])
})

test('[U176] an answer names its message, and to an open question it is the reply', async () => {
  const { page, conversation, view } = await openPage()
  const [first] = bubbles(conversation)
  conversation.aimAt({ kind: 'message', answers: first?.id ?? '' })
  expect([conversation.showsTarget, conversation.meant?.text]).toEqual([true, 'Two ways'])
  const id = await ask(view, { by: 'kimi', text: 'Which?' })
  await eventually(() => expect(conversation.question?.id).toBe(id))
  conversation.draft = 'The first'
  page.person.sendDraft(conversation)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect((await view.page('work', { limit: 1 })).entries[0]?.body).toMatchObject({ answers: first?.id })
  expect(bubbles(conversation).at(-1)?.reference).toEqual({ id: first?.id, text: 'Two ways' })
  expect(conversation.target).toEqual({ kind: 'reply', question: id })
})

test('[U172] a change that was begun is one after a reload, too', async () => {
  const { page, conversation } = await openPage()
  const { key } = await say(page, conversation, 'Frist')
  const drafts = new Drafts(draftStore(), new Preferences())
  beginChange(new Conversation(conversation.state, drafts), { key, text: 'Frist' })
  const again = new Conversation(conversation.state, drafts)
  expect([again.draft, again.target]).toEqual(['Frist', { kind: 'change', message: key }])
})

test('[U177] a window that does not reach the revision shows the newest words', async () => {
  const { page, conversation, view } = await openPage()
  const row = await say(page, conversation, 'Frist')
  for (let n = 0; n < 150; n++) await view.tell('work', { by: 'kimi', text: `${n}` })
  await eventually(() => expect(conversation.timeline.entries).toHaveLength(152))
  conversation.timeline.drop('newer', 100)
  await view.revise('work', row.id ?? '', 'First')
  await eventually(() => expect(said(conversation)[1]).toEqual(['First', 'changed']))
  page.go('work', { entry: row.id ?? '' })
  await eventually(() => expect(conversation.timeline.awaiting).toBeUndefined())
  expect(said(conversation)[1]).toEqual(['First', 'changed'])
})

test('[U170] what can be revised is one’s own, no stop and no answer', async () => {
  const { page, conversation, view } = await openPage()
  const received = await say(page, conversation, 'Received')
  expect(received.revisable).toBe(true)
  const session = view.agentSession({ conversation: 'work', title: 'work' })
  const delivery = await session.messages()
  delivery.arrived()
  await eventually(() => expect(bubbles(conversation)[1]?.delivery).toBe('delivered'))
  expect(bubbles(conversation)[1]?.revisable).toBe(true)
  const id = await ask(view, { by: 'kimi', text: 'Which?' })
  await view.answer(id, 'Blue')
  await view.interrupt('work', 'Stop')
  await eventually(() => expect(bubbles(conversation).at(-1)?.text).toBe('Stop'))
  const last = await say(page, conversation, 'Last')
  await eventually(() =>
    expect(bubbles(conversation).map(({ text, revisable }) => [text, revisable])).toEqual([
      ['Two ways', undefined],
      ['Received', true],
      ['Which?', undefined],
      ['Blue', undefined],
      ['Stop', undefined],
      ['Last', true],
    ]),
  )
  expect(lastRevisable(conversation)?.key).toBe(last.key)
})
