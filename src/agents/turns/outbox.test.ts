import { expect, test } from 'vitest'
import { createQueue } from '../../io/queue.ts'
import { createOutbox } from './outbox.ts'
import { newTurn, type Post } from './ui-state.ts'

/** An outbox to a hub that takes each post when it is told to. */
function open() {
  const sent: unknown[] = []
  const taking: (() => void)[] = []
  const work = createQueue()
  const state = newTurn('t', [])
  const post = ({ input }: Post) => {
    sent.push(input.key)
    return new Promise<void>((resolve) => taking.push(resolve))
  }
  const outbox = createOutbox({ hub: { post }, state, next: (act) => void work.add(act), report: () => {} })
  return { sent, state, behind: outbox.behind, add, take }

  function add(type: string, key: string) {
    outbox.add({ tool: 'chat_assistant_event', input: { type, key } })
  }

  /** Takes one, and waits for the next one to come. */
  async function take() {
    taking.shift()?.()
    await new Promise(setImmediate)
  }
}

test('[O191] a plan that another one overtakes is not sent; texts and calls are, in order', async () => {
  const { sent, add, take } = open()
  const all = ['plan 1', 'text 1', 'plan 2', 'tool_call 1', 'plan 3', 'text 2', 'plan 4', 'text 3']
  add('plan', 'plan 0')
  await take()
  for (const key of all) add(key.split(' ')[0] ?? '', key)
  for (const _ of all) await take()
  expect(sent).toEqual(['plan 0', 'text 1', 'tool_call 1', 'text 2', 'plan 4', 'text 3'])
})

test('[O191] whoever is far ahead of the hub waits until it is not', async () => {
  const { add, take, behind, state } = open()
  for (let n = 0; n < 40; n++) add('text', `${n}`)
  const room = behind()
  let isOver = false
  void room?.then(() => {
    isOver = true
  })
  expect(room).toBeInstanceOf(Promise)
  await take()
  await take()
  expect(isOver).toBe(false)
  while (!isOver) await take()
  expect(state.outbox.length).toBeLessThan(40)
  expect(behind()).toBeUndefined()
})
