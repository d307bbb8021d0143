import { expect, test } from 'vitest'
import { emptyConversation } from '../../../src/protocol/entries/fold.ts'
import { draftStore } from '../../../test/support/page-state.ts'
import { Settings } from '../state/page/settings.svelte.ts'
import { isClosed, promiseOf } from './promise.ts'

const state = emptyConversation('work')
const hub = { composer: 'when-asked' as const }

test('[U202] a driven agent can be written to although people write only when they are asked', () => {
  const settings = new Settings(draftStore())
  expect(isClosed(hub, settings, { question: undefined, driven: undefined, state })).toBe(true)
  expect(isClosed(hub, settings, { question: undefined, driven: { state: 'idle' }, state })).toBe(false)
  // Its runner is away, and comes back.
  const begun = { ...state, wish: { runner: 'api' } }
  expect(isClosed(hub, settings, { question: undefined, driven: undefined, state: begun })).toBe(false)
})

test('[U202] what a message does depends on what the agent does, and on what the person chose', () => {
  const said = (driven: Parameters<typeof promiseOf>[0]['driven'], doing: 'working' | 'gone' = 'working') => {
    return promiseOf({ doing, driven, target: { kind: 'message' }, aimed: undefined, question: undefined }).text
  }
  expect(said({ state: 'working', delivery: 'next' })).toBe('Waits for the agent’s next turn')
  expect(said({ state: 'waiting', delivery: 'steer' })).toBe('Goes into the running turn')
  expect(said({ state: 'idle' })).toBe('The agent starts on it at once')
  expect(said({ state: 'asleep' })).toBe('Wakes the agent')
  expect(said(undefined)).toBe('For the agent’s next turn')
  expect(said(undefined, 'gone')).toBe('Kept until the agent listens again')
})
