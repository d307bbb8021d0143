import { expect, test } from 'vitest'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import type { Body } from '../../protocol/entries/entry.ts'
import { createPresence } from './presence.ts'

const CALL: Body = { kind: 'tool_call', by: 'robot', tool_name: 'Bash', tool_args: '{}' }
const RESULT: Body = { kind: 'tool_result', by: 'robot', tool_name: 'Bash', result: '', success: true }
const TURN: Body = { kind: 'turn', by: 'robot' }
const PROGRESS: Body = { kind: 'progress', by: 'robot', text: 'Half way' }

/** The presence in one conversation. */
function watch() {
  const clock = fakeClock(1_000_000)
  const told: string[] = []
  let asked = false
  const presence = createPresence({
    clock,
    hasOpenQuestion: () => asked,
    changed: (_, { state, seen }) => told.push(`${state} ${seen - 1_000_000}`),
  })
  return {
    clock,
    told,
    presence,
    enter: (byRequests = false) => presence.enter('work', { byRequests }),
    write: (body: Body) => presence.happened('work', body),
    state: () => presence.stateOf('work'),
    ask(open: boolean) {
      asked = open
      presence.look('work')
    },
    /** The states that are told in the next so many seconds. */
    after(seconds: number) {
      told.length = 0
      for (let second = 0; second < seconds; second++) clock.advance(1000)
      return told
    },
  }
}

test('[Q32] a call that is carried out is work, however long it takes, and for 20 s after it', () => {
  const { enter, state, after } = watch()
  const ended = enter().calls(false)
  expect(after(600)).toEqual([])
  ended()
  expect([...after(19), state()]).toEqual(['working'])
  expect(after(1)).toEqual(['idle 600000'])
})

test('[Q32] a call that waits for the person is no work, and the reply is', () => {
  const { enter, ask, told, after } = watch()
  const ended = enter().calls(true)
  ask(true)
  expect(after(600)).toEqual([])
  ask(false)
  ended()
  expect(told).toEqual(['working 0'])
  expect(after(20)).toEqual(['idle 600000'])
})

test.each<Body>([
  { kind: 'message', author: 'assistant', by: 'robot', text: 'Hello' },
  { kind: 'thinking', by: 'robot', reasoning: 'Hm' },
  { kind: 'error', by: 'robot', error: 'No' },
  PROGRESS,
  RESULT,
])('[Q32] what an agent writes ($kind) is activity for 20 s, and each one puts that off', (body) => {
  const { enter, write, after } = watch()
  enter()
  expect(after(100)).toEqual([])
  write(body)
  expect(after(15)).toEqual([])
  write(body)
  expect(after(19)).toEqual([])
  expect(after(1)).toEqual(['idle 115000'])
})

test.each<Body>([
  { kind: 'message', author: 'user', by: 'person', text: 'Hello' },
  { kind: 'title', title: 'Other' },
  { kind: 'receipt', state: 'delivered' },
])('[Q32] what is not the agent’s ($kind) is no activity of it', (body) => {
  const { enter, write, told } = watch()
  enter()
  write(body)
  expect(told).toEqual(['idle 0'])
})

test('[Q33] a step without its result is work for 5 minutes, and until 20 s after its result', () => {
  const { enter, write, after } = watch()
  enter()
  for (const _ of [1, 2]) write(CALL)
  expect(after(100)).toEqual([])
  write(RESULT)
  expect(after(199)).toEqual([])
  expect(after(1)).toEqual(['idle 100000'])
  write(CALL)
  write(RESULT)
  expect(after(20)).toEqual(['idle 300000'])
})

test('[Q34] the end of a turn ends the work and its steps at once, and no call', () => {
  const { enter, write, state, told } = watch()
  const agent = enter()
  write(CALL)
  write(TURN)
  expect(told).toEqual(['idle 0', 'working 0', 'idle 0'])
  const ended = agent.calls(false)
  write({ ...CALL, by: 'other' })
  write(TURN)
  expect(state()).toBe('working')
  ended()
})

test('[Q35] who closes its connection is gone at once, whatever it was doing', () => {
  const { enter, write, told, presence } = watch()
  const [one, two] = [enter(), enter()]
  write(CALL)
  const ended = one.calls(false)
  one.leave()
  expect([told.at(-1), presence.withAgents()]).toEqual(['working 0', ['work']])
  two.leave()
  ended()
  expect([told.at(-1), presence.present(), presence.withAgents()]).toEqual(['gone 0', [], []])
})

test('[Q35] who comes by requests is gone 60 s after the last one, keeps the session, and is back with the next', async () => {
  const { enter, state, after, presence } = watch()
  const agent = enter(true)
  const stream = Promise.withResolvers<void>()
  agent.attends(stream.promise)
  expect(after(600)).toEqual([])
  stream.resolve()
  await stream.promise
  expect(after(59)).toEqual([])
  expect(after(1)).toEqual(['gone 0'])
  expect([presence.present(), presence.withAgents()]).toEqual([[], ['work']])
  agent.attends(new Promise(() => {}))
  expect(state()).toBe('idle')
})

test('[Q35] a question of who is gone stays open, and is waited for again when it is back', () => {
  const { enter, ask, after, state } = watch()
  const agent = enter(true)
  agent.calls(true)
  ask(true)
  expect(after(60)).toEqual(['gone 0'])
  agent.attends(new Promise(() => {}))
  expect(state()).toBe('waiting')
})

test('[Q36] who has no session works for 20 s after each activity and is gone then, and nothing is kept of it', () => {
  const { write, told, after, presence } = watch()
  write(CALL)
  expect([told, presence.present(), presence.withAgents()]).toEqual([['working 0'], ['work'], []])
  expect(after(20)).toEqual(['gone 0'])
  write(PROGRESS)
  write(TURN)
  expect(told).toEqual(['gone 0', 'working 20000', 'gone 20000'])
})

test('[Q11] of all conversations, who waits is told before who works, and that before who is idle', () => {
  const clock = fakeClock(0)
  const open = new Set<string>()
  const presence = createPresence({ clock, hasOpenQuestion: (id) => open.has(id), changed() {} })
  presence.enter('idle')
  expect(presence.statusOf()).toMatchObject({ conversation: 'idle', state: 'idle' })
  presence.happened('works', PROGRESS)
  expect(presence.statusOf()).toMatchObject({ conversation: 'works', state: 'working' })
  presence.enter('waits').calls(true)
  open.add('waits')
  presence.look('waits')
  expect(presence.statusOf()).toMatchObject({ conversation: 'waits', state: 'waiting' })
})
