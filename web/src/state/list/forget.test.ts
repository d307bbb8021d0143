import { expect, test } from 'vitest'
import { eventually } from '../../../../test/support/eventually.ts'
import { startHub } from '../../../../test/support/hub.ts'
import { conversationOf, draftStore, openPageState } from '../../../../test/support/page-state.ts'
import type { Request } from '../hub/link.svelte.ts'
import { Preferences } from './preferences.svelte.ts'

test('[U164] what is forgotten leaves the list with its draft and what was seen of it, and the next one is shown', async () => {
  const { url, view } = await startHub()
  for (const name of ['third', 'second', 'first']) await view.say(name, { text: 'Hello' })
  const drafts = draftStore()
  const page = await openPageState(url, { shown: 'second', drafts })
  const other = await openPageState(url)
  const conversation = await conversationOf(page, 'second')
  conversation.draft = 'Not sent yet'
  page.preferences.change('second', { muted: true })
  await eventually(() => expect(page.preferences.of('second')).toMatchObject({ muted: true, draft: {} }))
  expect(keptOf('second')).toHaveLength(1)

  page.person.forget(conversation)
  await eventually(() => expect(page.shownId).toBe('third'))
  expect(page.roster.list.map(({ id }) => id)).toEqual(['first', 'third'])
  expect(keptOf('second')).toEqual([])
  expect(page.preferences.of('second')).toEqual({})
  await eventually(() => expect(other.roster.get('second')).toBeUndefined())
  expect(other.shownId).toBe('first')

  // Nobody is left to show but the one before, and then nobody.
  page.person.forget(await conversationOf(page, 'third'))
  await eventually(() => expect(page.shownId).toBe('first'))
  page.person.forget(await conversationOf(page, 'first'))
  await eventually(() => expect(page.roster.list).toEqual([]))
  expect(page.shownId).toBeUndefined()
  await view.say('second', { text: 'Again' })
  await eventually(() => expect(page.shown?.timeline.entries).toHaveLength(1))

  function keptOf(conversation: string) {
    return [...drafts.stored].filter((kept) => kept.join().includes(conversation))
  }
})

test('[U164] an answer about what was forgotten meanwhile brings nothing of it back', () => {
  const sent: Request[] = []
  const preferences = new Preferences({ send: (request) => sent.push(request), isThere: () => true, drafted() {} })
  preferences.greet({ since: '0000000000000000', marks: {}, replies: [] }, ['work'], [])
  preferences.change('work', { muted: true })
  preferences.forget('work')
  preferences.take({ work: { muted: true } }, sent[0]?.key)
  expect(preferences.of('work')).toEqual({})

  preferences.meet('work')
  preferences.take({ work: { pinned: true } })
  expect(preferences.of('work')).toEqual({ pinned: true })
})
