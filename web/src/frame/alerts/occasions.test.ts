import { expect, test } from 'vitest'
import type { Body } from '../../../../src/protocol/entries/entry.ts'
import { Settings } from '../../state/page/settings.svelte.ts'
import { occurrenceIn, occurrenceOf } from './occasions.ts'

const at = { id: '0000000000000001', conversation: 'work', at: 0 }
const kindOf = (body: Body) => occurrenceIn({ ...at, body })?.occasion

test('[U167] an agent that went is told of, and one that stops to work has finished, unless it said so itself', () => {
  const told = (before: 'working' | 'idle' | 'waiting' | 'gone', now: 'idle' | 'gone' | 'working', saidSo = false) =>
    occurrenceOf({ conversation: 'work', before, now }, saidSo)?.occasion
  expect([told('working', 'gone'), told('idle', 'gone'), told('waiting', 'gone')]).toEqual(['gone', 'gone', 'gone'])
  expect([told('working', 'idle'), told('waiting', 'idle'), told('gone', 'idle')]).toEqual([
    'turns',
    undefined,
    undefined,
  ])
  expect([told('idle', 'working'), told('gone', 'working')]).toEqual([undefined, undefined])
  expect([told('working', 'gone', true), told('working', 'idle', true)]).toEqual([undefined, undefined])
  expect(kindOf({ kind: 'error', by: 'agent', error: 'No' })).toBe('errors')
  expect(kindOf({ kind: 'turn', by: 'agent' })).toBe('turns')
  expect(occurrenceIn({ ...at, body: { kind: 'progress', by: 'agent', text: 'Half' } })).toBeUndefined()
})

test('[U167] each is chosen by itself, kept in the browser, and says nothing while notifications are off', () => {
  const store = new Map<string, string>()
  const kept = {
    getItem: (name: string) => store.get(name) ?? null,
    setItem: (name: string, value: string) => void store.set(name, value),
  }
  const settings = new Settings(kept)
  settings.notifyOf('gone', true)
  expect(settings.notifiesOf('gone')).toBe(false)
  settings.notify = true
  const again = new Settings(kept)
  expect([again.notifiesOf('gone'), again.notifiesOf('errors'), again.notifiesOf('turns')]).toEqual([
    true,
    false,
    false,
  ])
})
