import { expect, test } from 'vitest'
import type { Body, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { promiseOf } from '../../composer/promise.ts'
import { Conversation } from './conversation.svelte.ts'

const asked: Body = { kind: 'question', by: 'agent', text: 'Deploy now?' }
const withdrawn: Body = { kind: 'settlement', question: idOf(1), outcome: 'withdrawn', by: 'person' }
const stop: Body = { kind: 'message', author: 'user', by: 'person', text: 'Stop', interrupt: true }
const delivered: Body = { kind: 'receipt', state: 'delivered', messages_to: idOf(3) }

function entry(n: number, body: Body, key?: string): Entry {
  return { id: idOf(n), conversation: 'work', at: n, key, body }
}

test('[U40] from the press until the agent hears it, what was asked is void and nothing can be stopped twice', () => {
  const conversation = new Conversation(emptyConversation('work'))
  conversation.timeline.loaded = true
  conversation.agent = 'backgrounded'
  conversation.follow([entry(1, asked)])
  expect(conversation.canStop).toBe(true)
  conversation.say({ key: 'k1', text: 'Stop', at: 2, stop: true })
  expect([conversation.open, conversation.canStop, conversation.stopping]).toEqual([[], false, true])
  conversation.follow([entry(2, withdrawn), entry(3, stop, 'k1')])
  conversation.agent = 'working'
  expect([conversation.pending, conversation.news, conversation.canStop, conversation.stopping]).toEqual([
    [],
    undefined,
    false,
    true,
  ])
  expect(conversation.rows.find(({ key }) => key === 'k1')).toMatchObject({ stop: true, delivery: 'accepted' })
  expect(promiseOf(conversation).text).toBe('Stops at the agent’s next call')
  conversation.follow([entry(4, delivered)])
  expect([conversation.canStop, conversation.stopping]).toEqual([true, false])
})

test('[U40] who works, or went on after asking, can be stopped by the button, who is idle by its key alone', () => {
  const conversation = new Conversation(emptyConversation('work'))
  const able = (['working', 'waiting', 'backgrounded', 'idle', 'gone'] as const).map((agent) => {
    conversation.agent = agent
    return conversation.canStop ? 'by button' : conversation.canBeStopped ? 'by key' : 'not'
  })
  expect(able).toEqual(['by button', 'not', 'by button', 'by key', 'not'])
})

test('[U42] the composer says when the agent went on, or is not there', () => {
  const conversation = new Conversation(emptyConversation('work'))
  conversation.follow([entry(1, asked)])
  const said = (['waiting', 'backgrounded', 'gone'] as const).map((agent) => {
    conversation.agent = agent
    return promiseOf(conversation).text
  })
  expect(said).toEqual([
    'Reply to the question',
    'Reply to the question. The agent moved on; it gets this with its next call.',
    'Reply to the question. Kept until the agent listens again.',
  ])
})
