import { expect, test } from 'vitest'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { conversationOf, draftStore, openPageState } from '../../../../test/support/page-state.ts'
import { MESSAGE } from '../conversation/target.ts'

async function startConversation() {
  const hub = await startHub()
  await hub.view.tell('work', { by: 'agent', text: 'Hello' })
  const open = async (drafts = draftStore()) => openPageState(hub.url, { shown: 'work', drafts })
  return { ...hub, open }
}

test('[U140] a mark shows at once and on every other page, and over a dead hub once it is back', async () => {
  const { open } = await startConversation()
  const [page, other] = [await open(), await open()]
  page.preferences.change('work', { pinned: true })
  expect(page.preferences.of('work')).toEqual({ pinned: true })
  await eventually(() => expect(other.preferences.of('work')).toEqual({ pinned: true }))
  page.link.close()
  other.preferences.change('work', { muted: true })
  page.preferences.change('work', { pinned: false, archived: true })
  page.preferences.change('work', { snoozed: { until: '2030-01-31T09:00:00Z' } })
  await eventually(() => expect(other.preferences.of('work').muted).toBe(true))
  page.link.open()
  const both = { muted: true, archived: true, snoozed: { until: '2030-01-31T09:00:00Z' } }
  await eventually(() => expect([page.preferences.of('work'), other.preferences.of('work')]).toEqual([both, both]))
})

test('[U140] a mark that the hub refuses is taken back, and it says why', async () => {
  const { open, view } = await startConversation()
  for (let n = 0; n < 100; n++) await view.tell(`c${n}`, { by: 'agent', text: 'Hello' })
  const page = await open()
  page.listMore()
  await eventually(() => expect(page.roster.list).toHaveLength(101))
  for (let n = 0; n < 100; n++) page.preferences.change(`c${n}`, { pinned: true })
  page.preferences.change('work', { pinned: true })
  await eventually(() => expect(page.shown?.problem).toContain('At most 100 conversations'))
  expect(page.preferences.of('work')).toEqual({})
})

test('[U141] what was read on one device is read on every other, over a lost connection too', async () => {
  const { open, view } = await startConversation()
  const [page, other] = [await open(), await open()]
  await view.tell('news', { by: 'agent', text: 'One' })
  await view.tell('news', { by: 'agent', text: 'Two' })
  const unread = () => [page.roster.seen.unread('news'), other.roster.seen.unread('news')]
  await eventually(() => expect(unread()).toEqual([2, 2]))
  page.roster.seen.look({ id: 'news', last: page.roster.get('news')?.state.last ?? '' })
  await eventually(() => expect(unread()).toEqual([0, 0]))
  const later = await open()
  expect(later.roster.get('news') && later.roster.seen.unread('news')).toBe(0)
  other.link.close()
  await view.tell('news', { by: 'agent', text: 'Three' })
  await eventually(() => expect(unread()).toEqual([1, 0]))
  other.link.open()
  await eventually(() => expect(unread()).toEqual([1, 1]))
})

test('[U141] marks of conversations beyond the list are brought up to date after a lost connection', async () => {
  const { open, view } = await startConversation()
  for (let n = 0; n < 60; n++) await view.tell(`busy ${n}`, { by: 'agent', text: 'Hello' })
  const [page, other] = [await open(), await open()]
  await eventually(() => expect(page.roster.get('work')).toBeDefined())
  page.link.close()
  other.preferences.change('work', { muted: true })
  const third = await open()
  await eventually(() => expect(third.preferences.of('work')).toEqual({ muted: true }))
  page.link.open()
  await eventually(() => expect(page.preferences.of('work')).toEqual({ muted: true }))
})

test('[U142] a draft goes on where it was left, on whichever device, and is gone everywhere once it is sent', async () => {
  const { open } = await startConversation()
  const [laptop, phone] = [await open(), await open()]
  const [here, there] = [await conversationOf(laptop, 'work'), await conversationOf(phone, 'work')]
  here.draft = 'Half a'
  await eventually(() => expect(there.draft).toBe('Half a'))
  here.writing.pause()
  there.draft = 'Half a sentence'
  await eventually(() => expect(here.draft).toBe('Half a sentence'))
  phone.person.sendDraft(there)
  await eventually(() => expect(here.draft).toBe(''))
  const third = await conversationOf(await open(), 'work')
  expect(third.draft).toBe('')
})

test('[U142] what was written or erased while the hub was away is told when it is back, and the newer one counts', async () => {
  const { open } = await startConversation()
  const store = draftStore()
  const laptop = await open(store)
  const here = await conversationOf(laptop, 'work')
  here.draft = 'Old'
  const phone = await open()
  const there = await conversationOf(phone, 'work')
  await eventually(() => expect(there.draft).toBe('Old'))
  laptop.link.close()
  here.draft = 'Written offline'
  const again = await conversationOf(await open(store), 'work')
  expect(again.draft).toBe('Written offline')
  await eventually(() => expect(there.draft).toBe('Written offline'))
  there.draft = ''
  await eventually(() => expect(again.draft).toBe(''))
  await eventually(() => expect([...store.stored.keys()]).toEqual([]))
  store.setItem('parley.draft.work', JSON.stringify({ text: 'Long ago', target: MESSAGE, at: 5 }))
  expect((await conversationOf(await open(store), 'work')).draft).toBe('')
})

test('[U142] a draft that is longer than the hub keeps stays with its browser', async () => {
  const { open } = await startConversation()
  const store = draftStore()
  const page = await open(store)
  const conversation = await conversationOf(page, 'work')
  conversation.draft = 'x'.repeat(70_000)
  expect((await conversationOf(await open(store), 'work')).draft).toHaveLength(70_000)
  expect([(await conversationOf(await open(), 'work')).draft, conversation.problem]).toEqual(['', undefined])
})
