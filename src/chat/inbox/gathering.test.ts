import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Entry } from '../../protocol/entries/entry.ts'
import { createGathering } from './gathering.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function gathering() {
  const told: string[][] = []
  const { gather, forgotten } = createGathering((entries) => told.push(entries.map(({ id }) => id)))
  const hear = (...ids: string[]) => gather(ids.map((id) => said(id)))
  return { hear, forgotten, told: () => told.splice(0) }
}

function said(id: string): Entry {
  return { id, at: 0, conversation: `in ${id}`, body: { kind: 'message', author: 'user', by: 'Ada', text: id } }
}

test('[I4] of messages the first is told at once, and those close behind it together', () => {
  const { hear, told } = gathering()
  hear('a')
  expect(told()).toEqual([['a']])
  hear('b', 'c')
  hear('d')
  expect(told()).toEqual([])
  vi.advanceTimersToNextTimer()
  expect(told()).toEqual([['b', 'c', 'd']])
  hear('e')
  expect(told()).toEqual([])
  vi.runAllTimers()
  expect(told()).toEqual([['e']])
  hear('f')
  expect(told()).toEqual([['f']])
})

test('[I4] of what is no message nobody is told, and it holds up none', () => {
  const { hear, told } = gathering()
  hear()
  expect(told()).toEqual([])
  hear('a')
  expect(told()).toEqual([['a']])
})

test('[I4] what is forgotten before it was told is not told', () => {
  const { hear, forgotten, told } = gathering()
  hear('a')
  hear('b', 'c')
  forgotten('in b')
  vi.runAllTimers()
  expect(told()).toEqual([['a'], ['c']])
})
