import { expect, test } from 'vitest'
import { emptyConversation } from '../../../src/protocol/fold.ts'
import { idOf } from '../../../test/support/ids.ts'
import { Drafts, draftIn } from './drafts.ts'
import { Outbox } from './outbox.ts'
import { Seen } from './seen.svelte.ts'
import { Settings } from './settings.svelte.ts'
import { Talk } from './talk.svelte.ts'
import { MESSAGE } from './target.ts'

/** As a browser's: what is stored are properties of it, what it can do are not. */
function openStore(): Storage {
  const able = {
    getItem(this: Record<string, string>, name: string) {
      return Object.hasOwn(this, name) ? this[name] : null
    },
    setItem(this: Record<string, string>, name: string, value: string) {
      this[name] = value
    },
    removeItem(this: Record<string, string>, name: string) {
      delete this[name]
    },
  }
  return Object.create(able)
}

const words = { conversation: 'work', key: 'k1', text: 'Hello', at: 2 }

test('[U46] what is set is kept, what is stored wrongly counts as not set, and another tab is heard', () => {
  const store = openStore()
  const settings = new Settings(store)
  expect([settings.theme, settings.sound, settings.notify, settings.letters]).toEqual(['system', true, false, true])
  settings.nextTheme()
  settings.sound = false
  const again = new Settings(store)
  expect([again.theme, again.sound]).toEqual(['light', false])
  store.setItem('parley.theme', 'purple')
  settings.read()
  expect(settings.theme).toBe('system')
})

test('[U47] a draft is stored for its conversation, and an empty one not at all', () => {
  const store = openStore()
  const drafts = new Drafts(store)
  drafts.keep('one', 'Half a sen', MESSAGE)
  expect([drafts.of('one'), drafts.of('two')]).toEqual(['Half a sen', ''])
  drafts.drop('one', 'Half a sen')
  expect(Object.keys(store)).toEqual([])
})

test('[U95] of another tab is heard what became of a draft, and a draft of that tab is not dropped from here', () => {
  const store = openStore()
  const drafts = new Drafts(store)
  drafts.keep('one', 'Yes', MESSAGE)
  new Drafts(store).keep('one', 'Yes, but', MESSAGE)
  drafts.drop('one', 'Yes')
  expect(drafts.of('one')).toBe('Yes, but')
  const stored = { key: 'parley.draft.one', oldValue: 'Yes', newValue: null }
  expect(draftIn(stored)).toEqual({ conversation: 'one', before: 'Yes', now: '' })
  expect(draftIn({ ...stored, key: 'parley.draft-target.one' })).toBeUndefined()
  expect(draftIn({ ...stored, key: null })).toBeUndefined()
})

test('[U95] a draft follows the one of another tab until something is typed here', () => {
  const drafts = new Drafts(openStore())
  const question = { kind: 'reply', question: idOf(7) } as const
  drafts.keep('one', 'Ye', question)
  const talk = new Talk(emptyConversation('one'), drafts)
  drafts.keep('one', 'Yes', question)
  talk.hear('Ye', 'Yes')
  expect([talk.draft, talk.isAimed]).toEqual(['Yes', true])
  talk.draft = 'Yes, but'
  talk.hear('Yes', '')
  talk.hear('Yes, but', 'No')
  expect(talk.draft).toBe('Yes, but')
  talk.hear('Yes, but', '')
  expect([talk.draft, talk.isAimed]).toEqual(['', false])
  talk.hear('', 'New')
  expect(talk.draft).toBe('')
})

test('[U100] a missed question opens the offer once, and any word about notifications is the answer', () => {
  const store = openStore()
  const settings = new Settings(store)
  expect(settings.offer).toBe(false)
  settings.missedQuestion()
  expect(new Settings(store).offer).toBe(true)
  settings.notify = false
  settings.missedQuestion()
  expect([settings.offer, new Settings(store).offer]).toEqual([false, false])
})

test('[U47] what the browser has no room for is no failure', () => {
  const full = { ...openStore(), getItem: () => null, setItem: fail, removeItem: () => {} }
  const seen = new Seen(full)
  new Drafts(full).keep('one', 'x', MESSAGE)
  seen.look({ id: 'one', last: idOf(1) })
  expect(seen.upTo('one')).toBe(idOf(1))

  function fail() {
    throw new DOMException('', 'QuotaExceededError')
  }
})

test('[U51] unsent words come back oldest first until they are answered; what is no words is left out', () => {
  const store = openStore()
  const outbox = new Outbox(store)
  outbox.keep(words)
  outbox.keep({ ...words, key: 'k0', at: 1, question: '0000000000000007' })
  store.setItem('parley.unsent.k9', '{"conversation":"work"}')
  store.setItem('parley.draft.work', 'not json')
  expect(new Outbox(store).all().map(({ key }) => key)).toEqual(['k0', 'k1'])
  outbox.drop('k0')
  expect(outbox.all()).toEqual([words])
})
