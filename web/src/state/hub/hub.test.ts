import { expect, onTestFinished, test } from 'vitest'
import { ask, person } from '../../../../test/support/chat.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { openTestHub, startHub, temporaryFolder, viewOf } from '../../../../test/support/hub.ts'
import { conversationOf, openPageState } from '../../../../test/support/page-state.ts'
import { freePort } from '../../../../test/support/process.ts'
import type { Conversation } from '../conversation/conversation.svelte.ts'
import type { Row } from '../rows/row.ts'

const textsOf = ({ rows }: Conversation) => rows.map((row) => ('text' in row ? row.text : row.kind))
const deliveryOf = (row: Row) => (row.kind === 'bubble' ? row.delivery : undefined)
const asking = { by: 'agent', text: 'Deploy now?' }

test('[U1] an own message is on screen at once, and stays one row when its entry comes', async () => {
  const { url, view } = await startHub()
  await view.say('work', { text: 'Hello' })
  const page = await openPageState(url)
  const conversation = await conversationOf(page, 'work')
  page.person.say(conversation, 'Same')
  page.person.say(conversation, 'Same')
  const keys = conversation.rows.map(({ key }) => key)
  expect(conversation.rows.map(deliveryOf)).toEqual(['accepted', 'sending', 'sending'])
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(textsOf(conversation)).toEqual(['Hello', 'Same', 'Same'])
  expect(conversation.rows.map(({ key }) => key)).toEqual(keys)
})

test('[U7] what the person says answers the oldest open question, or the one turned to, and else is a message', async () => {
  const { url, view } = await startHub()
  const first = await ask(view, { by: 'agent', text: 'A?' })
  const second = await ask(view, { by: 'agent', text: 'B?' })
  const third = await ask(view, { by: 'agent', text: 'C?' })
  const page = await openPageState(url)
  const conversation = await conversationOf(page, 'work')
  expect(conversation.question?.id).toBe(first)
  conversation.turnTo(second)
  page.person.say(conversation, 'b')
  expect(conversation.open.map(({ id }) => id)).toEqual([first, third])
  page.person.say(conversation, 'c')
  page.person.say(conversation, 'a')
  page.person.say(conversation, 'By the way')
  await eventually(() => expect(conversation.pending).toEqual([]))
  const bodies = conversation.timeline.entries
    .map(({ body }) => body)
    .filter(({ kind }) => kind !== 'question' && kind !== 'title')
  expect(bodies).toMatchObject([
    { kind: 'settlement', question: second, reply: 'b' },
    { kind: 'settlement', question: third, reply: 'c' },
    { kind: 'settlement', question: first, reply: 'a' },
    { kind: 'message', author: 'user', text: 'By the way' },
  ])
})

test('[U6] a refused answer gives the text back with the reason, before what was written since', async () => {
  const { url, view, chat } = await startHub()
  const id = await ask(view, asking)
  const page = await openPageState(url)
  const conversation = await conversationOf(page, 'work')
  const first = person(chat, 'somebody else').answer(id, 'Yes')
  // This page believes that the question is open until the news of the other answer arrives.
  page.person.say(conversation, 'No')
  await first
  conversation.draft = 'and'
  await eventually(() => expect(conversation.problem).toBe('This question is no longer open'))
  expect(conversation.draft).toBe('No\n\nand')
  expect(conversation.pending).toEqual([])
})

test('[U4] after the hub was away the page resumes, keeps what it shows and sends what was said meanwhile', async () => {
  const data = await temporaryFolder()
  const before = await openTestHub({ host: '127.0.0.1', port: await freePort(), data })
  await ask(viewOf(before), asking)
  const page = await openPageState(before.url)
  const conversation = await conversationOf(page, 'work')
  await before.close()
  await eventually(() => expect(page.link.status).toBe('lost'))
  const entries = conversation.timeline.entries
  page.person.say(conversation, 'Yes')
  expect(conversation.rows.at(-1)).toMatchObject({ text: 'Yes', delivery: 'sending' })
  const after = await openTestHub({ host: '127.0.0.1', port: before.port, data })
  onTestFinished(after.close)
  await eventually(() => expect(conversation.pending).toEqual([]))
  expect(page.roster.get('work')).toBe(conversation)
  expect(conversation.timeline.entries.slice(0, entries.length)).toEqual(entries)
  expect(textsOf(conversation)).toEqual(['Deploy now?', 'Yes'])
  expect(page.news).toEqual([])
})

test('[U4] a hub with another log makes the page start anew, but unsent words are kept', async () => {
  const before = await openTestHub({ host: '127.0.0.1', port: await freePort(), data: 'memory' })
  await ask(viewOf(before), asking, 'gone')
  await ask(viewOf(before), asking)
  const page = await openPageState(before.url)
  const conversation = await conversationOf(page, 'work')
  conversation.draft = 'Not yet said'
  await before.close()
  await eventually(() => expect(page.link.status).toBe('lost'))
  const after = await openTestHub({ host: '127.0.0.1', port: before.port, data: 'memory' })
  onTestFinished(after.close)
  await eventually(() => expect(page.link.status).toBe('open'))
  await viewOf(after).tell('work', { by: 'agent', text: 'A new log' })
  await eventually(() => expect(textsOf(conversation)).toEqual(['A new log']))
  expect(conversation.open).toEqual([])
  expect(conversation.draft).toBe('Not yet said')
  expect(page.roster.get('gone')).toBeUndefined()
})

test('[U5] older pages are read one by one until the beginning', async () => {
  const { url, view } = await startHub()
  const texts = Array.from({ length: 250 }, (_, n) => `${n}`)
  await Promise.all(texts.map((text) => view.tell('work', { by: 'agent', text })))
  const page = await openPageState(url)
  const conversation = await conversationOf(page, 'work')
  while (conversation.timeline.hasOlder) {
    page.readOn(conversation, 'older')
    page.readOn(conversation, 'older')
    await eventually(() => expect(conversation.timeline.awaiting).toBeUndefined())
  }
  expect(textsOf(conversation)).toEqual(texts)
})

test('[U43] who waits is known however old the conversation is, and the list goes on where it ended', async () => {
  const { url, view } = await startHub()
  await ask(view, asking, 'forgotten')
  for (let n = 0; n < 60; n++) await view.tell(`busy ${n}`, { by: 'agent', text: 'Hello' })
  const page = await openPageState(url)
  expect(page.hasMore).toBe(true)
  expect(page.roster.needsYou.map(({ id }) => id)).toEqual(['forgotten'])
  expect(page.roster.list).toHaveLength(51)
  page.listMore()
  await eventually(() => expect(page.roster.list).toHaveLength(61))
})

test('[U11] a conversation beyond the list that wakes up comes with all its open questions', async () => {
  const { url, view } = await startHub()
  await view.tell('old', { by: 'agent', text: 'Hello' })
  for (let n = 0; n < 60; n++) await view.tell(`busy ${n}`, { by: 'agent', text: 'Hello' })
  const page = await openPageState(url)
  expect(page.hasMore).toBe(true)
  expect(page.roster.get('old')).toBeUndefined()
  await ask(view, asking, 'old')
  await ask(view, { by: 'agent', text: 'Still there?' }, 'old')
  await eventually(() =>
    expect(page.roster.list[0]?.open.map(({ text }) => text)).toEqual(['Deploy now?', 'Still there?']),
  )
  page.listMore()
  await eventually(() => expect(page.hasMore).toBe(false))
  expect(page.roster.list).toHaveLength(61)
})

test('[U11] an address that names no conversation shows the newest one, and a hub without any shows the first to come', async () => {
  const { url, view } = await startHub()
  const page = await openPageState(url, { shown: 'nothing' })
  await ask(view, asking)
  await conversationOf(page, 'work')
  expect(page.shown?.id).toBe('work')
  const other = await openPageState(url, { shown: 'nothing' })
  await conversationOf(other, 'work')
  expect(other.shownId).toBe('work')
})

test('[U12] news in another conversation is counted until it is looked at; receipts, deeds and own words are not', async () => {
  const { url, view } = await startHub()
  await ask(view, asking)
  await view.tell('shown', { by: 'agent', text: 'Hello' })
  const page = await openPageState(url, { shown: 'shown' })
  const conversation = await eventually(() => page.roster.get('work') ?? Promise.reject())
  const { seen } = page.roster
  expect(seen.unread('work')).toBe(0)
  page.person.say(conversation, 'Yes')
  await eventually(() => expect(conversation.pending).toEqual([]))
  await view.record('work', { kind: 'tool_call', by: 'agent', tool_name: 'Bash', tool_args: '{}' })
  await ask(view, { by: 'agent', text: 'And now?' })
  await view.tell('work', { by: 'agent', text: 'Please' })
  await eventually(() => expect(seen.unread('work')).toBe(2))
  const { seen: later } = (await openPageState(url, { shown: 'shown' })).roster
  await eventually(() => expect(later.unread('work')).toBe(2))
  seen.look(conversation.state)
  expect(seen.unread('work')).toBe(0)
})

test('[U12] what came while no page was open is counted, and only words are', async () => {
  const { url, view } = await startHub()
  await view.tell('work', { by: 'agent', text: 'Hello' })
  await view.tell('quiet', { by: 'agent', text: 'Hello' })
  await view.tell('shown', { by: 'agent', text: 'Hello' })
  const first = await openPageState(url, { shown: 'shown' })
  await eventually(() => expect(first.roster.list).toHaveLength(3))
  first.roster.seen.look({ id: 'shown', last: first.roster.list[0]?.state.last ?? '' })
  first.link.close()
  const deed = { kind: 'progress', by: 'agent', text: 'Still at it' } as const
  for (let n = 0; n < 120; n++) await view.record('work', deed)
  for (let n = 0; n < 3; n++) await view.tell('work', { by: 'agent', text: `${n}` })
  await view.record('quiet', deed)
  const { seen, list } = (await openPageState(url, { shown: 'shown' })).roster
  await eventually(() => expect(seen.unread('work')).toBe(3))
  expect(seen.unread('quiet')).toBe(0)
  const quiet = list.find(({ id }) => id === 'quiet')
  await eventually(() => expect(quiet && seen.since(quiet.state)).toBeUndefined())
})

test('[U62] a jump shows the window around an entry or a moment, and the end is one jump away', async () => {
  const { url, view } = await startHub()
  const posted = []
  for (let n = 0; n < 300; n++) posted.push(await view.say('work', { text: `${n}` }))
  const [wanted] = posted.slice(40)
  if (!wanted) throw new Error('Nothing was posted')
  const page = await openPageState(url)
  const conversation = await conversationOf(page, 'work')
  conversation.timeline.watched = true
  const texts = () => conversation.timeline.entries.map(({ body }) => ('text' in body ? Number(body.text) : -1))
  expect(texts().at(-1)).toBe(299)

  page.go('work', { entry: wanted.id })
  await eventually(() => expect(conversation.timeline.holds({ entry: wanted.id })).toBe(true))
  expect(texts()).toContain(40)
  expect(conversation.timeline.hasNewer).toBe(true)
  await view.say('work', { text: '300' })
  expect(texts()).not.toContain(300)

  page.go('work', 'end')
  await eventually(() => expect(conversation.timeline.hasNewer).toBe(false))
  expect(texts().at(-1)).toBe(300)
  page.go('work', { time: 0 })
  await eventually(() => expect(conversation.timeline.hasOlder).toBe(false))
  expect(texts()[0]).toBe(0)
  while (conversation.timeline.hasNewer) {
    page.readOn(conversation, 'newer')
    await eventually(() => expect(conversation.timeline.awaiting).toBeUndefined())
  }
  expect(texts()).toEqual(Array.from({ length: 301 }, (_, n) => n))
})

test('[U62] a page opens at the entry its address names, also in a conversation beyond the list', async () => {
  const { url, view } = await startHub()
  const { id: first } = await view.say('old', { text: 'first' })
  for (let n = 0; n < 150; n++) await view.say('old', { text: `${n}` })
  for (let n = 0; n < 60; n++) await view.say(`newer ${n}`, { text: 'hello' })
  const page = await openPageState(url, { shown: 'old', entry: first })
  const conversation = await conversationOf(page, 'old')
  await eventually(() => expect(conversation.timeline.entries[0]?.id).toBe(first))
  expect(conversation.timeline.hasNewer).toBe(true)
  page.go('newer 3', { entry: first })
  expect((await conversationOf(page, 'newer 3')).timeline.entries).toHaveLength(1)
})
