import { expect, onTestFinished, test } from 'vitest'
import { BEFORE_ALL, type Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { startDoor } from '../../../../test/support/door.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { Hub } from '../hub/hub.svelte.ts'

/** An entry of a Parley that is not written yet. */
const POLL = { kind: 'poll', by: 'agent', options: ['Red', 'Blue'] }
const NOTE = { kind: 'note', tone: 'faint', text: 'Update Parley to see this (poll)' }
const said = (text: string) => ({ kind: 'message', author: 'user', by: 'person', text })

const entry = (n: number, body: object, conversation = 'work') => ({ id: idOf(n), conversation, at: n, body })

/** The page's state at the door of a hub that has two conversations. */
async function openPage() {
  const door = await startDoor()
  const page = new Hub({ url: door.url, wait: () => 60_000 })
  onTestFinished(() => page.link.close())
  page.link.open()
  const hub = await door.visit(1)
  const conversations = ['work', 'other'].map((id) => ({ ...emptyConversation(id), last: idOf(3) }))
  const desk = { since: idOf(3), marks: {}, replies: [] }
  hub.say({ type: 'welcome', cursor: BEFORE_ALL, resumed: false, conversations, has_more: false, agents: {}, desk })
  return { page, hub, work: conversations[0] }
}

test('[U71] a page of a newer hub has what this version does not know as quiet notes', async () => {
  const { page, hub, work } = await openPage()
  const entries = [entry(1, said('One')), entry(2, POLL), entry(3, said('Two'))]
  hub.say({ type: 'page', conversation: work, entries, has_older: false, has_newer: false })
  await eventually(() => expect(page.shown?.rows).toHaveLength(3))
  expect(page.link.status).toBe('open')
  expect(page.shown?.rows).toMatchObject([{ text: 'One' }, NOTE, { text: 'Two' }])
  expect(page.shown?.timeline.entries[1]?.body).toEqual({ kind: 'unknown', name: 'poll', content: POLL })
})

test('[U71] so has what is live, which is neither news nor counted and changes nothing', async () => {
  const { page, hub, work } = await openPage()
  const entries = [entry(3, said('Do it'))]
  hub.say({ type: 'page', conversation: work, entries, has_older: false, has_newer: false })
  hub.say({ type: 'agent', conversation: 'work', state: 'working', seen: 0 })
  await eventually(() => expect(page.shown?.agent).toBe('working'))
  page.shown?.timeline.leave()
  hub.say({
    type: 'entries',
    entries: [entry(4, POLL, 'other'), entry(5, POLL), entry(6, { ...said('x'), author: 7 })],
  })
  await eventually(() => expect(page.shown?.state.last).toBe(idOf(6)))
  expect(page.news).toEqual([])
  expect([page.roster.seen.unread('other'), page.shown?.timeline.missed]).toEqual([0, 0])
  expect(page.shown?.state.preview).toBe('')
  expect(page.shown?.rows).toMatchObject([
    { text: 'Do it' },
    NOTE,
    { ...NOTE, text: 'Update Parley to see this (message)' },
    { kind: 'thinking' },
  ])
})

test('[U9] an entry without its place in the log is no entry of any version', async () => {
  const { page, hub } = await openPage()
  await eventually(() => expect(page.link.status).toBe('open'))
  const { id: _, ...lost }: Pick<Entry, 'id'> = entry(4, POLL)
  hub.say({ type: 'entries', entries: [lost] })
  await eventually(() => expect(page.link.status).toBe('outdated'))
})
