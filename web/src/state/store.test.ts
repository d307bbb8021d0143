import { expect, test } from 'vitest'
import { idOf } from '../../../test/support/ids.ts'
import { Drafts } from './drafts.ts'
import { Outbox } from './outbox.ts'
import { Seen } from './seen.svelte.ts'
import { Settings } from './settings.svelte.ts'
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
