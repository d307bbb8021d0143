import { expect, test } from 'vitest'
import { ERRORS } from '../../../../src/protocol/errors.ts'
import { ask, reached } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { draftStore, openPageState, talkOf } from '../../../../test/support/page-state.ts'
import { beginChange, change, endChange, lastRevisable, sendChange, takeBack } from '../conversation/changing.ts'
import { Talk } from '../conversation/talk.svelte.ts'
import { Drafts } from '../list/drafts.ts'
import { Preferences } from '../list/preferences.svelte.ts'
import type { Bubble } from './row.ts'

async function openPage() {
  const { url, view } = await startHub()
  await view.tell('work', { by: 'kimi', text: 'Two ways' })
  const page = await openPageState(url)
  return { page, view, url, talk: await talkOf(page, 'work') }
}

const bubbles = ({ rows }: Talk) => rows.filter((row): row is Bubble => row.kind === 'bubble')
const said = (talk: Talk) => bubbles(talk).map(({ text, revised }) => [text, revised])

/** Once it is with the hub. */
async function say(page: Awaited<ReturnType<typeof openPage>>['page'], talk: Talk, text: string): Promise<Bubble> {
  page.person.say(talk, text)
  return eventually(() => {
    const row = bubbles(talk).find((bubble) => bubble.text === text && bubble.delivery === 'accepted')
    if (!row || talk.pending.length > 0) throw new Error(`${text} is not said yet`)
    return row
  })
}

test('[U171] what is taken back is gone at once, and once the hub agrees in every page', async () => {
  const { page, talk, url } = await openPage()
  const other = await talkOf(await openPageState(url), 'work')
  const row = await say(page, talk, 'Secret')
  takeBack(page.person, talk, row.key)
  expect(said(talk)[1]).toEqual(['', 'taken_back'])
  for (const each of [talk, other]) await eventually(() => expect(said(each)[1]).toEqual(['', 'taken_back']))
  await eventually(() => expect(talk.revisions.list).toEqual([]))
  expect(talk.revisions.wordsOf(row.key)).toBe('Secret')
})

test('[U172] changed words are there at once, and what was being written comes back', async () => {
  const { page, talk, view } = await openPage()
  const row = await say(page, talk, 'Frist')
  talk.draft = 'Half a sen'
  beginChange(talk, row)
  expect([talk.draft, talk.target]).toEqual(['Frist', { kind: 'change', message: row.key }])
  talk.draft = ''
  talk.draft = 'First'
  sendChange(page.person, talk)
  expect([talk.draft, talk.target]).toEqual(['Half a sen', { kind: 'message' }])
  expect(said(talk)[1]).toEqual(['First', 'changed'])
  await eventually(() => expect(talk.revisions.list).toEqual([]))
  expect((await view.page('work', { limit: 10 })).entries.map(({ body }) => body.kind)).toEqual([
    'message',
    'message',
    'revision',
  ])
  beginChange(talk, { ...row, text: 'First' })
  endChange(talk)
  expect(talk.draft).toBe('Half a sen')
})

test('[U174] a change that is refused is undone, and its words are kept with the reason', async () => {
  const { page, talk, view } = await openPage()
  const row = await say(page, talk, 'Old')
  beginChange(talk, row)
  talk.draft = 'New'
  await view.revise('work', row.id ?? '', undefined)
  await eventually(() => expect(said(talk)[1]).toEqual(['', 'taken_back']))
  sendChange(page.person, talk)
  await eventually(() => expect(talk.problem).toBe(ERRORS.not_revisable.text))
  expect([talk.draft, talk.target, said(talk)[1]]).toEqual(['New', { kind: 'message' }, ['', 'taken_back']])
})

test('[U235] where an agent had a message, its change stands in its own place, too, and says how far it came', async () => {
  const { page, talk, view, url } = await openPage()
  const other = await talkOf(await openPageState(url), 'work')
  const row = await say(page, talk, 'Old')
  const session = reached(view.agentSession({ conversation: 'work', title: 'work' }))
  await session.messages()
  await eventually(() => expect(bubbles(talk)[1]?.delivery).toBe('delivered'))
  change(page.person, talk, row.key, 'New')
  const changed = { text: 'New', change: true, reference: { id: row.id, text: 'Old' } }
  for (const each of [talk, other])
    await eventually(() =>
      expect(bubbles(each).slice(1)).toMatchObject([
        { text: 'New', revised: 'changed' },
        { ...changed, delivery: 'accepted' },
      ]),
    )
  expect(bubbles(talk)[2]?.who).toBeUndefined()
  await session.messages()
  await eventually(() => expect(bubbles(talk)[2]?.delivery).toBe('delivered'))
  takeBack(page.person, talk, row.key)
  const again = await talkOf(await openPageState(url), 'work')
  for (const each of [talk, other, again])
    await eventually(() => {
      expect(said(each).slice(1)).toEqual([['', 'taken_back']])
      expect(each.rows.flatMap((row) => (row.kind === 'note' ? row.text : []))).toEqual([
        'You changed an earlier message, which the agent had',
        'You took an earlier message back, which the agent had',
      ])
    })
})

test('[U175] what the hub never got is taken back into the composer, or goes once with its new words', async () => {
  const { page, talk, view } = await openPage()
  page.link.close()
  page.link.status = 'lost'
  for (const text of ['Gone', 'Old', 'Stays']) page.person.say(talk, text)
  const [gone, old] = talk.pending
  takeBack(page.person, talk, gone?.key ?? '')
  expect([talk.draft, said(talk).map(([text]) => text)]).toEqual(['Gone', ['Two ways', 'Old', 'Stays']])
  change(page.person, talk, old?.key ?? '', 'New')
  page.link.open()
  await eventually(() => expect(talk.pending).toEqual([]))
  const { entries } = await view.page('work', { limit: 10 })
  expect(entries.map(({ body }) => 'text' in body && body.text)).toEqual(['Two ways', 'Stays', 'New'])
})

test('[U176] an answer names its message, and to an open question it is the reply', async () => {
  const { page, talk, view } = await openPage()
  const [first] = bubbles(talk)
  talk.aimAt({ kind: 'message', answers: first?.id ?? '' })
  expect([talk.showsTarget, talk.meant?.text]).toEqual([true, 'Two ways'])
  const id = await ask(view, { by: 'kimi', text: 'Which?' })
  await eventually(() => expect(talk.question?.id).toBe(id))
  talk.draft = 'The first'
  page.person.sendDraft(talk)
  await eventually(() => expect(talk.pending).toEqual([]))
  expect((await view.page('work', { limit: 1 })).entries[0]?.body).toMatchObject({ answers: first?.id })
  expect(bubbles(talk).at(-1)?.reference).toEqual({ id: first?.id, text: 'Two ways' })
  expect(talk.target).toEqual({ kind: 'reply', question: id })
})

test('[U172] a change that was begun is one after a reload, too', async () => {
  const { page, talk } = await openPage()
  const { key } = await say(page, talk, 'Frist')
  const drafts = new Drafts(draftStore(), new Preferences())
  beginChange(new Talk(talk.state, drafts), { key, text: 'Frist' })
  const again = new Talk(talk.state, drafts)
  expect([again.draft, again.target]).toEqual(['Frist', { kind: 'change', message: key }])
})

test('[U177] a window that does not reach the revision shows the newest words', async () => {
  const { page, talk, view } = await openPage()
  const row = await say(page, talk, 'Frist')
  for (let n = 0; n < 150; n++) await view.tell('work', { by: 'kimi', text: `${n}` })
  await eventually(() => expect(talk.timeline.entries).toHaveLength(152))
  talk.timeline.drop('newer', 100)
  await view.revise('work', row.id ?? '', 'First')
  await eventually(() => expect(said(talk)[1]).toEqual(['First', 'changed']))
  page.go('work', { entry: row.id ?? '' })
  await eventually(() => expect(talk.timeline.awaiting).toBeUndefined())
  expect(said(talk)[1]).toEqual(['First', 'changed'])
})

test('[U170] what can be revised is one’s own, no stop and no answer', async () => {
  const { page, talk, view } = await openPage()
  const received = await say(page, talk, 'Received')
  expect(received.revisable).toBe(true)
  const session = view.agentSession({ conversation: 'work', title: 'work' })
  const delivery = await session.messages()
  delivery.arrived()
  await eventually(() => expect(bubbles(talk)[1]?.delivery).toBe('delivered'))
  expect(bubbles(talk)[1]?.revisable).toBe(true)
  const id = await ask(view, { by: 'kimi', text: 'Which?' })
  await view.answer(id, 'Blue')
  await view.interrupt('work', 'Stop')
  await eventually(() => expect(bubbles(talk).at(-1)?.text).toBe('Stop'))
  const last = await say(page, talk, 'Last')
  await eventually(() =>
    expect(bubbles(talk).map(({ text, revisable }) => [text, revisable])).toEqual([
      ['Two ways', undefined],
      ['Received', true],
      ['Which?', undefined],
      ['Blue', undefined],
      ['Stop', undefined],
      ['Last', true],
    ]),
  )
  expect(lastRevisable(talk)?.key).toBe(last.key)
})
