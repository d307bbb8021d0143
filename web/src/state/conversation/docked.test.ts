import { beforeEach, expect, test, vi } from 'vitest'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { Conversation } from './conversation.svelte.ts'
import { Docked } from './docked.svelte.ts'
import { Person } from './person.ts'
import { STILL_MS } from './still.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const asked = (at: number) => ({ id: idOf(at), at, by: 'agent', text: `Number ${at}?` })

/** Nobody is at the other end. */
const alone = () => new Person({ send: () => {}, cancel: () => false })

/** A conversation in which these are asked, oldest first, and its dock. */
function dockOf(...times: number[]) {
  const conversation = new Conversation({ ...emptyConversation('work'), open: times.map(asked) })
  const docked = new Docked(conversation, alone())
  docked.follow()
  return { conversation, docked, answer, open }

  /** Answers as a click does. */
  function answer() {
    const question = conversation.question?.id
    conversation.say({ key: `k${question}`, text: 'Yes', at: 0, question, tapped: true })
    docked.follow()
  }

  function open(...later: number[]) {
    conversation.state = { ...conversation.state, open: later.map(asked) }
    docked.follow()
  }
}

/** What the dock shows, in words. */
function said({ shown, still }: Docked) {
  return shown && `${shown.question.text} ${shown.place} of ${shown.count}${still ? ', still' : ''}`
}

test('[U87] after a decision the dock stays as it is for a moment, and then shows the next', () => {
  const { docked, answer } = dockOf(1, 2, 3)
  expect(said(docked)).toBe('Number 1? 1 of 3')
  answer()
  expect(said(docked)).toBe('Number 1? 1 of 3, still')
  vi.advanceTimersByTime(STILL_MS)
  expect(said(docked)).toBe('Number 2? 1 of 2')
})

test('[U87] nothing counts while the dock is still, and whoever goes on pressing waits on', () => {
  const { docked, answer } = dockOf(1, 2)
  expect(docked.press()).toBe(true)
  answer()
  for (let press = 0; press < 4; press++) {
    vi.advanceTimersByTime(STILL_MS - 1)
    expect(docked.press()).toBe(false)
  }
  vi.advanceTimersByTime(STILL_MS)
  expect(said(docked)).toBe('Number 2? 1 of 1')
  expect(docked.press()).toBe(true)
})

test('[U87] the last one, and one that ended elsewhere, keep their place for a moment too', () => {
  const { docked, open } = dockOf(1, 2)
  open(2)
  expect(said(docked)).toBe('Number 1? 1 of 2, still')
  open()
  expect(said(docked)).toBe('Number 1? 1 of 2, still')
  vi.advanceTimersByTime(STILL_MS)
  expect(said(docked)).toBeUndefined()
})

test('[U87] turning to another question waits for nothing', () => {
  const { conversation, docked } = dockOf(1, 2)
  conversation.turnTo(idOf(2))
  docked.follow()
  expect(said(docked)).toBe('Number 2? 2 of 2')
})

test('[U88] after a decision comes the next later question, and an earlier one only when there is none', () => {
  const { conversation, answer, open } = dockOf(1, 2, 3, 4)
  conversation.turnTo(idOf(2))
  answer()
  expect(conversation.question?.id).toBe(idOf(3))
  answer()
  expect(conversation.question?.id).toBe(idOf(4))
  answer()
  expect(conversation.question?.id).toBe(idOf(1))
  open(1, 5)
  expect(conversation.question?.id).toBe(idOf(1))
  answer()
  expect(conversation.question?.id).toBe(idOf(5))
})
