import { expect, onTestFinished, test, vi } from 'vitest'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { draftStore } from '../../../../test/support/page-state.ts'
import { Conversation } from '../conversation/conversation.svelte.ts'
import { MESSAGE } from '../conversation/target.ts'
import { Drafts, draftIn } from './drafts.ts'
import { Preferences } from './preferences.svelte.ts'

const question = { kind: 'reply', question: idOf(7) } as const
const draft = (text: string, at: number) => ({ text, target: MESSAGE, at })

test('[U47] a draft is kept for its conversation, and that it was erased is kept until the hub knows', () => {
  const store = draftStore()
  const drafts = new Drafts(store, new Preferences())
  const { at } = drafts.keep('one', 'Half a sen', MESSAGE)
  expect([drafts.of('one')?.text, drafts.of('two')]).toEqual(['Half a sen', undefined])
  drafts.drop('one', at)
  expect(drafts.of('one')?.text).toBe('')
  drafts.meet('one', drafts.of('one'))
  expect([...store.stored]).toEqual([])
})

test('[U95] of another tab is heard what became of a draft, and a draft of that tab is not dropped from here', () => {
  const store = draftStore()
  const { at } = new Drafts(store, new Preferences()).keep('one', 'Yes', MESSAGE)
  new Drafts(store, new Preferences()).keep('one', 'Yes, but', MESSAGE)
  new Drafts(store, new Preferences()).drop('one', at)
  expect(new Drafts(store, new Preferences()).of('one')?.text).toBe('Yes, but')
  const now = draft('', 2)
  const stored = { key: 'parley.draft.one', newValue: JSON.stringify(now) }
  expect(draftIn(stored)).toEqual({ conversation: 'one', now })
  expect(draftIn({ ...stored, newValue: null })).toBeUndefined()
  expect(draftIn({ ...stored, key: 'parley.theme' })).toBeUndefined()
  expect(draftIn({ ...stored, key: null })).toBeUndefined()
})

test('[U95] a draft follows the newest of another tab, but not while something is typed here', () => {
  vi.useFakeTimers({ now: 100 })
  onTestFinished(() => void vi.useRealTimers())
  const drafts = new Drafts(draftStore(), new Preferences())
  drafts.keep('one', 'Ye', question)
  const conversation = new Conversation(emptyConversation('one'), drafts)
  conversation.writing.hear({ text: 'Yes', target: question, at: 101 })
  expect([conversation.draft, conversation.isAimed]).toEqual(['Yes', true])
  conversation.writing.hear(draft('Older', 99))
  conversation.draft = 'Yes, but'
  const at = drafts.of('one')?.at ?? 0
  conversation.writing.hear({ ...draft('', at + 1), ends: at - 1 })
  conversation.writing.hear(draft('No', at + 5))
  expect(conversation.draft).toBe('Yes, but')
  const kept = drafts.of('one')
  expect([kept?.text, (kept?.at ?? 0) > at + 5]).toEqual(['Yes, but', true])
  conversation.writing.hear({ ...draft('', at + 9), ends: kept?.at })
  expect([conversation.draft, conversation.isAimed]).toEqual(['', false])
  conversation.writing.hear(draft('New', at + 10))
  expect(conversation.draft).toBe('New')
})

test('[U95] two tabs in which something is typed keep it, and do not answer each other for ever', () => {
  const drafts = new Drafts(draftStore(), new Preferences())
  const tabs = ['Yes', 'Yes, but'].map((text) => {
    const tab = new Conversation(emptyConversation('one'), drafts)
    tab.draft = text
    return tab
  })
  const heard = new Set<number>()
  for (let now = drafts.of('one'); now && !heard.has(now.at) && heard.size < 100; now = drafts.of('one')) {
    heard.add(now.at)
    for (const { writing } of tabs) writing.hear(now)
  }
  expect(heard.size).toBeLessThan(5)
  expect(tabs.map(({ draft }) => draft)).toEqual(['Yes', 'Yes, but'])
})

test('[U95] who pauses is not typing any more, and who has chosen where words go has begun', () => {
  const conversation = new Conversation(emptyConversation('one'))
  conversation.draft = 'Half'
  conversation.writing.hear(draft('Half a', Date.now() + 1))
  expect(conversation.draft).toBe('Half')
  conversation.writing.pause()
  conversation.writing.hear(draft('Half a', Date.now() + 2))
  expect(conversation.draft).toBe('Half a')
  conversation.draft = ''
  conversation.aimAt({ kind: 'denial', question: idOf(7) })
  conversation.writing.hear(draft('Elsewhere', Date.now() + 100))
  expect(conversation.draft).toBe('')
})
