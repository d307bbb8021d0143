import { beforeEach, expect, test, vi } from 'vitest'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import type { Request } from '../hub/link.svelte.ts'
import { Conversation } from './conversation.svelte.ts'
import { Docked } from './docked.svelte.ts'
import { TAKE_BACK_MS } from './held.svelte.ts'
import { Person } from './person.ts'
import { STILL_MS } from './still.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const options = [{ label: 'Red' }, { label: 'Blue' }]
const asked = (at: number, more = {}) => ({ id: idOf(at), at, by: 'agent', text: `Number ${at}?`, options, ...more })

/** A dock with these questions, and what its page sends. */
function dockOf(...open: ReturnType<typeof asked>[]) {
  const conversation = new Conversation({ ...emptyConversation('work'), open })
  const sent: Request[] = []
  const docked = new Docked(conversation, new Person({ send: (request) => sent.push(request), cancel: () => false }))
  docked.follow()
  return { conversation, docked, sent, tap, open: openNow }

  function tap() {
    if (conversation.question) docked.tap(conversation.question, { choices: ['Red'] })
    docked.follow()
  }

  function openNow(...open: ReturnType<typeof asked>[]) {
    conversation.state = { ...conversation.state, open }
    docked.follow()
  }
}

const RED = { type: 'choose', question: idOf(1), choices: ['Red'] }

test('[U123] a tap is on screen at once and sent after five seconds; then the dock is still for a moment', () => {
  const { conversation, docked, sent, tap } = dockOf(asked(1))
  tap()
  expect(docked.held).toBe('Red')
  expect(conversation.rows).toMatchObject([{ text: 'Red', delivery: 'sending' }])
  vi.advanceTimersByTime(TAKE_BACK_MS - 1)
  expect([sent, docked.shown?.question.id]).toEqual([[], idOf(1)])
  vi.advanceTimersByTime(1)
  expect(sent).toMatchObject([RED])
  expect([docked.held, docked.still]).toEqual([undefined, true])
  vi.advanceTimersByTime(STILL_MS)
  expect(docked.shown).toBeUndefined()
})

test('[U123] what is taken back was never sent, and the question is there to be answered', () => {
  const { conversation, docked, sent, tap } = dockOf(asked(1))
  tap()
  docked.takeBack()
  docked.follow()
  expect([docked.held, docked.still, docked.shown?.question.id]).toEqual([undefined, false, idOf(1)])
  expect([conversation.pending, conversation.rows]).toEqual([[], []])
  vi.advanceTimersByTime(TAKE_BACK_MS)
  expect(sent).toEqual([])
  tap()
  vi.advanceTimersByTime(TAKE_BACK_MS)
  expect(sent).toMatchObject([RED])
})

test('[U123] whoever leaves sends it at once, and once', () => {
  const { docked, sent, tap } = dockOf(asked(1))
  tap()
  docked.close()
  docked.close()
  vi.advanceTimersByTime(TAKE_BACK_MS)
  expect(sent).toMatchObject([RED])
})

test('[U123] where the agent waits for more, a tap is sent at once, and so it is when it asks more', () => {
  const two = dockOf(asked(1), asked(2))
  two.tap()
  expect([two.sent.length, two.docked.held]).toEqual([1, undefined])
  const one = dockOf(asked(1))
  one.tap()
  one.open(asked(1), asked(2))
  expect([one.sent.length, one.docked.held]).toEqual([1, undefined])
})

test('[U123] several choices have a button of their own and are sent at once', () => {
  const { sent, tap } = dockOf(asked(1, { multi_select: true }))
  tap()
  expect(sent).toMatchObject([RED])
})

test('[U123] when somebody else answers meanwhile, nothing is sent', () => {
  const { conversation, docked, sent, tap, open } = dockOf(asked(1))
  tap()
  open()
  expect([docked.held, conversation.pending]).toEqual([undefined, []])
  vi.advanceTimersByTime(TAKE_BACK_MS)
  expect([sent, docked.shown]).toEqual([[], undefined])
})
