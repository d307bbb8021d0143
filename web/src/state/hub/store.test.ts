import { expect, test } from 'vitest'
import { MESSAGE } from '../conversation/target.ts'
import { Drafts } from '../list/drafts.ts'
import { Preferences } from '../list/preferences.svelte.ts'
import { Settings } from '../page/settings.svelte.ts'
import { Outbox } from './outbox.ts'

/** A store like a browser's: stored values are properties of it, its methods are not. */
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
  const drafts = new Drafts(full, new Preferences())
  drafts.keep('one', 'x', MESSAGE)
  expect(drafts.of('one')?.text).toBe('x')

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
