import { beforeEach, expect, test } from 'vitest'
import { ask, forever, newLog, nextQuestion, openTestChat, reached } from '../../test/support/chat.ts'
import type { Log } from '../log/views.ts'
import type { Chat } from './chat.ts'
import type { DriverView } from './driver-view.ts'
import type { Seat } from './seat.ts'
import type { View } from './view.ts'

let log: Log
let chat: Chat
let view: View
let driver: DriverView

beforeEach(async () => {
  log = newLog()
  ;({ chat, view } = openTestChat({ log }))
  driver = drivenBy(chat)
  await driver.hold('work', 'me', 300)
})

function drivenBy(chat: Chat): DriverView {
  return chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
}

async function say(...texts: string[]): Promise<string[]> {
  const ids = []
  for (const text of texts) ids.push((await view.say('work', { text })).id)
  return ids
}

async function receive(key: string, messages: string[]): Promise<string[]> {
  return (await driver.receive('work', 'me', key, messages)).received
}

async function receipts() {
  const { entries } = await view.page('work', { limit: 100 })
  return entries.flatMap(({ body }) => (body.kind === 'receipt' ? [body] : []))
}

async function seat(): Promise<Seat> {
  return reached(view.seat({ conversation: 'work', title: 'Work' }))
}

test('[O5] what is received counts as read, and comes once', async () => {
  const [first = '', second = ''] = await say('One', 'Two')
  expect(await receive('k1', [second, first])).toEqual([first, second])
  expect((await view.conversation('work')).messages).toEqual({ last: second, delivered: second, read: second })
  expect(await receive('k2', [first, second])).toEqual([])
  const [third = ''] = await say('Three')
  expect(await receive('k3', [second, third])).toEqual([third])
  expect(await receipts()).toHaveLength(2)
})

test('[O5] what an agent had before it was driven is not received again', async () => {
  await driver.release('work', 'me')
  const [first = ''] = await say('One')
  expect((await (await seat()).messages()).earlier).toMatchObject([{ text: 'One' }])
  await driver.hold('work', 'me', 300)
  const [second = ''] = await say('Two')
  expect(await receive('k1', [first, second])).toEqual([second])
})

test('[O5] what nobody said there cannot be received, and nothing else is', async () => {
  const [first = ''] = await say('One')
  const { id: foreign } = await view.say('other', { text: 'Elsewhere' })
  const { id: own } = await view.tell('work', { by: 'agent', text: 'Mine' })
  const verdict = await ask(view, { by: 'agent', text: 'May I?', approval: { tool_name: 'Bash', input: '{}' } })
  const { id: allowed } = await view.allow(verdict, undefined)
  for (const id of [foreign, own, allowed, '0000000000009999'])
    await expect(receive('k', [first, id])).rejects.toThrow(`There is no message "${id}" here`)
  expect(await receipts()).toEqual([])
})

test('[O6] with the same key the answer is the same, also of a hub that starts again', async () => {
  const ids = await say('One', 'Two')
  expect(await receive('k1', ids)).toEqual(ids)
  expect(await receive('k1', ids)).toEqual(ids)
  const again = openTestChat({ log }).chat
  expect(await drivenBy(again).receive('work', 'me', 'k1', ids)).toEqual({ received: ids })
  expect(await receipts()).toHaveLength(1)
  await view.say('work', { text: 'Hello' }, 'k2')
  await expect(receive('k2', ids)).rejects.toThrow('"key" was used for something else')
})

test('[O7] a reply that its asker waits for in a call is not given, and neither is one that reached it', async () => {
  const agent = view.seat({ conversation: 'work', title: 'Work' })
  const call = agent.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  const { id } = await view.answer(await nextQuestion(view), 'Yes')
  const received = receive('k1', [id])
  const parcel = await call
  expect(parcel.settlements).toMatchObject([{ reply: 'Yes' }])
  // Nobody can say yet who has it.
  expect(await Promise.race([received, say(...'abcdefghij')])).toHaveLength(10)
  parcel.arrived()
  expect(await received).toEqual([])
  await agent.messages()
  expect(await receive('k2', [id])).toEqual([])
})

test('[O7] a reply whose asker is gone is given, once, also when it came back on its way', async () => {
  const agent = view.seat({ conversation: 'work', title: 'Work' })
  const call = agent.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  const { id } = await view.answer(await nextQuestion(view), 'Yes')
  const parcel = await call
  const received = receive('k1', [id])
  await say(...'abcdefghij')
  parcel.returned()
  expect(await received).toEqual([id])
  expect((await agent.messages()).earlier).toEqual([])

  const left = new AbortController()
  const cut = agent.ask([{ by: 'agent', text: 'Really?' }], { signal: left.signal })
  const question = await nextQuestion(view)
  left.abort(new Error('The agent is gone'))
  await expect(cut).rejects.toThrow('The agent is gone')
  const { id: late } = await view.answer(question, 'No')
  expect(await receive('k2', [late])).toEqual([late])
  expect(await receive('k3', [late, id])).toEqual([])
  expect((await view.conversation('work')).replies).toEqual({ recent: [] })
})

test('[O8] what is received before an earlier message does not lose that one', async () => {
  const [first = '', second = '', third = ''] = await say('One', 'Two', 'Three')
  expect(await receive('k1', [third])).toEqual([third])
  expect(await receive('k2', [first, third])).toEqual([first])
  expect(await receive('k3', [first, second, third])).toEqual([second])
})

test('[O8] of many that are received at once each is given to one', async () => {
  const ids = await say('One', 'Two', 'Three')
  const all = await Promise.all(['k1', 'k2', 'k3'].map((key) => receive(key, ids)))
  expect(all.flat().sort()).toEqual(ids)
})

test('[O9] a stop is received by itself, and what was said before it waits on', async () => {
  const [waiting = ''] = await say('Also the tests')
  const { id: stop } = await view.interrupt('work', undefined)
  expect(await receive('k1', [stop])).toEqual([stop])
  expect(await receive('k2', [stop])).toEqual([])
  const { messages, stop: heard } = await view.conversation('work')
  expect([messages.read < waiting, heard?.read]).toEqual([true, stop])
  expect(await receive('k3', [waiting])).toEqual([waiting])
})

test('[O15] a message can be taken back until it is received, and is not received then', async () => {
  const [first = '', second = ''] = await say('One', 'Two')
  await view.revise('work', first, undefined)
  expect(await receive('k1', [first, second])).toEqual([second])
  await expect(view.revise('work', second, undefined)).rejects.toMatchObject({ code: 'already_received' })
  const [third = ''] = await say('Three')
  const [taken, received] = await Promise.allSettled([view.revise('work', third, undefined), receive('k2', [third])])
  const isTaken = taken.status === 'fulfilled'
  expect(received).toEqual({ status: 'fulfilled', value: isTaken ? [] : [third] })
})

test('[O41] what is received says where its words are others by now', async () => {
  const [wrong = '', second = '', third = ''] = await say('Wrong', 'Second', 'Third')
  await view.revise('work', wrong, undefined)
  await view.revise('work', second, 'Second, better')
  const { received, revised } = await driver.receive('work', 'me', 'k', [wrong, second, third])
  expect(received).toEqual([second, third])
  expect(revised).toEqual([{ id: second, text: 'Second, better' }])
})
