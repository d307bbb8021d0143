import { expect, test } from 'vitest'
import { labelsOf } from './key-labels.ts'
import { SHORTCUTS, shortcutOf } from './shortcuts.ts'

class Target extends EventTarget {
  readonly closest: () => unknown
  constructor(typing: boolean) {
    super()
    this.closest = () => (typing ? this : null)
  }
}
Object.assign(globalThis, { Element: Target })

const NONE = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, isComposing: false }
const press = (key: string, more: object = {}, typing = false) => ({
  key,
  ...NONE,
  target: new Target(typing),
  ...more,
})

test('[U48] a letter counts only where nobody types, a chord counts everywhere', () => {
  expect(shortcutOf(press('j'), true)).toBe('next')
  expect(shortcutOf(press('j', {}, true), true)).toBeUndefined()
  expect(shortcutOf(press('ArrowDown', { altKey: true }, true), true)).toBe('next')
  expect(shortcutOf(press('ArrowDown', { altKey: true, shiftKey: true }, true), true)).toBe('needy')
  expect(shortcutOf(press('Enter', { ctrlKey: true, shiftKey: true }, true), true)).toBe('stop')
  expect(shortcutOf(press('Enter', { metaKey: true, shiftKey: true }), true)).toBe('stop')
  expect(shortcutOf(press('K', { metaKey: true }), true)).toBeUndefined()
})

test('[U48] keys of the browser, of other layouts and of a composition are left alone', () => {
  expect(shortcutOf(press('t', { ctrlKey: true }), true)).toBeUndefined()
  expect(shortcutOf(press('c', { metaKey: true }), true)).toBeUndefined()
  expect(shortcutOf(press('n', { altKey: true }), true)).toBeUndefined()
  expect(shortcutOf(press('?', { shiftKey: true, isComposing: true }), true)).toBeUndefined()
})

test('[U49] without single letters only chords are left, and ? needs no modifier but its own', () => {
  expect(shortcutOf(press('?', { shiftKey: true }), true)).toBe('help')
  expect(shortcutOf(press('?', { shiftKey: true }), false)).toBeUndefined()
  expect(shortcutOf(press('/', { ctrlKey: true }), false)).toBe('help')
  const keys = SHORTCUTS.flatMap(({ letter, chord }) => [letter, chord]).filter((key) => key !== undefined)
  expect(new Set(keys).size).toBe(keys.length)
  expect(labelsOf('Mod+Shift+Enter', false)).toEqual(['Ctrl', 'Shift', 'Enter'])
  expect(labelsOf('Mod+Shift+Enter', true)).toEqual(['⌘', '⇧', '↵'])
})
