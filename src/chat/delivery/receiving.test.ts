import { beforeEach, expect, test } from 'vitest'
import { ask, forever, newLog, nextQuestion, openTestChat, reached } from '../../../test/support/chat.ts'
import type { Log } from '../../log/views.ts'
import { visitOfDriven } from '../../protocol/entries/agent.ts'
import type { Chat } from '../chat.ts'
import type { DriverView } from '../driving/driver-view.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'

let log: Log
let chat: Chat
let view: View
let driver: DriverView

beforeEach(async () => {
  log = newLog()
  ;({ chat, view } = openTestChat({ log }))
  driver = drivenBy(chat)
  await driver.acquire('work', 'me', 300)
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

async function session(): Promise<AgentSession> {
  return reached(view.agentSession({ conversation: 'work', title: 'Work' }))
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

test('[O5] a message and its change are received as one, in whichever order they are named', async () => {
  for (const isTurned of [false, true]) {
    const [id = ''] = await say('One')
    const change = await view.revise('work', id, 'Two')
    const ids = isTurned ? [change.id, id] : [id, change.id]
    expect(await driver.receive('work', 'me', change.id, ids)).toEqual({
      received: [id],
      revised: [{ id, text: 'Two' }],
    })
  }
})

test('[O5] what an agent had before it was driven is not received again', async () => {
  await driver.release('work', 'me')
  const [first = ''] = await say('One')
  expect((await (await session()).messages()).earlier).toMatchObject([{ text: 'One' }])
  await driver.acquire('work', 'me', 300)
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
    await expect(receive('k', [first, id])).rejects.toThrow(`Unknown message "${id}"`)
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
  const agent = view.agentSession({ conversation: 'work', title: 'Work' })
  const call = agent.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  const { id } = await view.answer(await nextQuestion(view), 'Yes')
  const received = receive('k1', [id])
  const delivery = await call
  expect(delivery.settlements).toMatchObject([{ reply: 'Yes' }])
  // Nobody can say yet who has it.
  expect(await Promise.race([received, say(...'abcdefghij')])).toHaveLength(10)
  delivery.arrived()
  expect(await received).toEqual([])
  await agent.messages()
  expect(await receive('k2', [id])).toEqual([])
})

test('[O7] a reply whose asker is gone is given, once, also when it came back on its way', async () => {
  const agent = view.agentSession({ conversation: 'work', title: 'Work' })
  const call = agent.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  const { id } = await view.answer(await nextQuestion(view), 'Yes')
  const delivery = await call
  const received = receive('k1', [id])
  await say(...'abcdefghij')
  delivery.returned()
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

test('[O7] of more replies than a conversation names, those that are only counted are given, too', async () => {
  const replies: string[] = []
  for (let n = 0; n < 40; n++)
    replies.push((await view.answer(await ask(view, { by: 'agent', text: `${n}?` }), 'Yes')).id)
  const [first = '', second = ''] = replies
  expect(await receive('k1', [first, second])).toEqual([first, second])
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

test('[O15] what is taken back before it is received is not received, and later it is a message of its own', async () => {
  const [first = '', second = ''] = await say('One', 'Two')
  const { id: before } = await view.revise('work', first, undefined)
  expect(await receive('k1', [first, second, before])).toEqual([second])
  const { id: after } = await view.revise('work', second, undefined)
  const { received, revised } = await driver.receive('work', 'me', 'k2', [after])
  const text = 'The person took back an earlier message, "Two". Do not act on it.'
  expect([received, revised]).toEqual([[after], [{ id: after, text, changes: { message: second } }]])
  expect(await receive('k3', [after])).toEqual([])
})

test('[O150] a change is received once: with its message, instead of it, or after it', async () => {
  const [one = '', two = '', three = ''] = await say('One', 'Two', 'Three')
  const first = await view.revise('work', one, 'One, better')
  const [skipped, second] = [
    await view.revise('work', two, 'Two, worse'),
    await view.revise('work', two, 'Two, better'),
  ]
  // Changes come with their message, by their own names only, and in the wrong order.
  expect(await driver.receive('work', 'me', 'k1', [one])).toEqual({
    received: [one],
    revised: [{ id: one, text: 'One, better' }],
  })
  expect(await driver.receive('work', 'me', 'k2', [skipped.id])).toEqual({
    received: [skipped.id],
    revised: [{ id: skipped.id, text: 'Two, better' }],
  })
  expect(await receive('k3', [first.id, two, second.id, three])).toEqual([three])
  const third = await view.revise('work', three, 'Three, better')
  const told = {
    received: [third.id],
    revised: [
      {
        id: third.id,
        text: 'The person changed an earlier message, "Three". It now says:\n\nThree, better',
        changes: { message: three, text: 'Three, better' },
      },
    ],
  }
  expect(await driver.receive('work', 'me', 'k4', [third.id])).toEqual(told)
  await view.revise('work', three, 'Three, best')
  expect(await driver.receive('work', 'me', 'k4', [third.id])).toEqual(told)
})

test('[O150] of several changes of a message the newest words come, once, also where both are asked for', async () => {
  const [one = '', two = ''] = await say('One', 'Two')
  const [worse, better] = [await view.revise('work', one, 'Worse'), await view.revise('work', one, 'Better')]
  const all = [one, worse.id, better.id]
  const words = { received: [one], revised: [{ id: one, text: 'Better' }] }
  expect(await driver.receive('work', 'me', 'k1', all)).toEqual(words)
  expect(await receive('k2', [...all, two])).toEqual([two])
  const read = { kind: 'receipt', state: 'read' }
  expect(await receipts()).toEqual([
    { ...read, messages: [one], messages_to: one, ahead: [worse.id, better.id] },
    { ...read, messages: [two], messages_to: two },
  ])
})

test('[O150] what an agent was told in a call is not received again as a change, and the other way round', async () => {
  const [one = '', two = ''] = await say('One', 'Two')
  const first = await view.revise('work', one, 'One, better')
  const second = await view.revise('work', two, 'Two, better')
  expect(await receive('k1', [one])).toEqual([one])
  await driver.release('work', 'me')
  const session = reached(view.agentSession({ conversation: 'work', title: 'work' }))
  expect((await session.messages()).earlier.map(({ text }) => text)).toEqual(['Two, better'])
  await driver.acquire('work', 'me', 30)
  expect(await receive('k2', [first.id, two, second.id])).toEqual([])
})

test('[O150] a revision and a receipt at the same time lose nothing and give nothing twice', async () => {
  for (let round = 0; round < 60; round++) {
    const [id = ''] = await say(`Old ${round}`)
    const isGone = round % 4 < 2
    const both = [
      () => view.revise('work', id, isGone ? undefined : 'New'),
      () => driver.receive('work', 'me', `during ${round}`, [id]),
    ] as const
    const [one, other] = round % 2 ? both : both.toReversed()
    const first = one?.()
    for (let turn = 0; turn < Math.floor(round / 2); turn++) await Promise.resolve()
    const results = await Promise.all([first, other?.()])
    const revision = results.find((result) => result && 'body' in result) as { id: string }
    const during = results.find((result) => result && 'received' in result) as Awaited<ReturnType<(typeof both)[1]>>
    const after = await driver.receive('work', 'me', `after ${round}`, [id, revision.id])
    const isOld = during.received.length > 0 && !during.revised
    if (isOld) expect(after).toMatchObject({ received: [revision.id], revised: [{ changes: { message: id } }] })
    else expect([during.received.length, after]).toEqual([isGone ? 0 : 1, { received: [] }])
  }
})

test('[O41] what is received says where its words are others by now', async () => {
  const [wrong = '', second = '', third = ''] = await say('Wrong', 'Second', 'Third')
  await view.revise('work', wrong, undefined)
  await view.revise('work', second, 'Second, better')
  const { received, revised } = await driver.receive('work', 'me', 'k', [wrong, second, third])
  expect(received).toEqual([second, third])
  expect(revised).toEqual([{ id: second, text: 'Second, better' }])
})

test.each([
  ["of the driven agent's own line", visitOfDriven('line'), true],
  ['as an older Parley kept it', undefined, true],
  ['of another agent', 'line', false],
])('[O155] [G124] what became of a call %s', async (_, visit, isForDriver) => {
  const { mountedCalls: calls } = chat
  const whose = { by: 'agent', asker: 'one', visit }
  const call = { tool_name: 'git_push', server: 'git', tool: 'push', call_id: 'call' }
  const approval = { ...call, input: '{}' }
  await view.allow(await calls.ask('work', { kind: 'question', ...whose, text: 'May I?', approval }), undefined)
  await calls.begin('work', { ...call, ...whose, tool_args: '{}' }, {})
  await calls.end('work', { ...call, by: 'agent', result: 'A secret', success: true })
  await calls.tell('call', 'It was pushed')
  const message = calls.stateOf('call')?.message ?? ''
  const [later = ''] = await say('Go on')
  expect(await receive('k1', [message, later])).toEqual(isForDriver ? [message, later] : [later])
  const { messages } = await view.inbox.newest('work')
  expect(messages.find(({ id }) => id === message)?.of_other_agent).toBe(isForDriver ? undefined : true)
  const untold = await calls.untold('work', { asker: 'one', agent: 'agent', visit })
  expect(untold).toEqual(isForDriver ? [] : [{ message, text: 'It was pushed', call_id: 'call' }])
})
