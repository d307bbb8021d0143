import { expect, test } from 'vitest'
import type { Body, Entry } from '../../../../src/protocol/entries/entry.ts'
import { emptyConversation } from '../../../../src/protocol/entries/fold.ts'
import { idOf } from '../../../../test/support/ids.ts'
import { promiseOf } from '../../composer/promise.ts'
import { Talk } from './talk.svelte.ts'

const asked: Body = { kind: 'question', by: 'agent', text: 'Deploy now?' }
const withdrawn: Body = { kind: 'settlement', question: idOf(1), outcome: 'withdrawn', by: 'person' }
const stop: Body = { kind: 'message', author: 'user', by: 'person', text: 'Stop', interrupt: true }
const delivered: Body = { kind: 'receipt', state: 'delivered', messages_to: idOf(3) }

function entry(n: number, body: Body, key?: string): Entry {
  return { id: idOf(n), conversation: 'work', at: n, key, body }
}

test('[U40] from the press until the agent hears it, what was asked is void and nothing can be stopped twice', () => {
  const talk = new Talk(emptyConversation('work'))
  talk.timeline.loaded = true
  talk.agent = 'backgrounded'
  talk.follow([entry(1, asked)])
  expect(talk.canStop).toBe(true)
  talk.say({ key: 'k1', text: 'Stop', at: 2, stop: true })
  expect([talk.open, talk.canStop, talk.stopping]).toEqual([[], false, true])
  talk.follow([entry(2, withdrawn), entry(3, stop, 'k1')])
  talk.agent = 'working'
  expect([talk.pending, talk.news, talk.canStop, talk.stopping]).toEqual([[], undefined, false, true])
  expect(talk.rows.find(({ key }) => key === 'k1')).toMatchObject({ stop: true, delivery: 'accepted' })
  expect(promiseOf(talk).text).toBe('Stopping: the agent hears it with its next call')
  talk.follow([entry(4, delivered)])
  expect([talk.canStop, talk.stopping]).toEqual([true, false])
})

test('[U40] who works, or went on after asking, can be stopped by the button, who is idle by its key alone', () => {
  const talk = new Talk(emptyConversation('work'))
  const able = (['working', 'waiting', 'backgrounded', 'idle', 'gone'] as const).map((agent) => {
    talk.agent = agent
    return talk.canStop ? 'by button' : talk.canBeStopped ? 'by key' : 'not'
  })
  expect(able).toEqual(['by button', 'not', 'by button', 'by key', 'not'])
})

test('[U42] the composer says when the agent went on, or is not there', () => {
  const talk = new Talk(emptyConversation('work'))
  talk.follow([entry(1, asked)])
  const said = (['waiting', 'backgrounded', 'gone'] as const).map((agent) => {
    talk.agent = agent
    return promiseOf(talk).text
  })
  expect(said).toEqual([
    'Reply to the question',
    'Reply to the question. The agent went on; it gets this with its next call.',
    'Reply to the question. The agent is not listening; your reply is kept for it.',
  ])
})
