import { beforeEach, expect, test } from 'vitest'
import { ask, forever, nextQuestion, openTestChat, reached, until } from '../../../test/support/chat.ts'
import type { DeliveredIds } from '../../protocol/frames/link.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'

let view: View
let session: AgentSession

beforeEach(() => {
  ;({ view } = openTestChat())
  session = view.agentSession({ conversation: 'work', title: 'Work' })
})

const agent = { by: 'agent' }
const asked = [{ ...agent, text: 'Deploy?' }]

async function answered(reply = 'Yes') {
  const call = session.ask(asked, forever)
  await view.answer(await nextQuestion(view), reply)
  return call
}

async function receipts(): Promise<string[]> {
  const { entries } = await view.page('work', { limit: 100 })
  return entries.flatMap(({ body }) => (body.kind === 'receipt' ? [body.state] : []))
}

/** Nobody waits for it to the end. */
function leave(call: Promise<unknown>) {
  call.catch((error) => expect(error).toMatchObject({ code: 'come_back' }))
}

function stateOf(conversation = 'work') {
  return view.conversation(conversation)
}

test('[Q9] what came back was never delivered, and the next call proves nothing of it', async () => {
  const delivery = await answered()
  delivery.returned()
  const again = await session.messages()
  expect(again.earlier).toMatchObject([{ text: 'Yes', in_reply_to: 'Deploy?' }])
  expect(await receipts()).toEqual([])
  again.arrived()
  await until(async () => (await receipts()).includes('delivered'))
  expect((await session.messages()).earlier).toEqual([])
  expect((await stateOf()).replies).toEqual({ recent: [] })
})

test('[Q9] what is on its way is in no other answer, and no later call proves it', async () => {
  const delivery = await answered()
  await view.say('work', { text: 'One more thing' })
  const meanwhile = await session.messages()
  expect(meanwhile.earlier).toMatchObject([{ text: 'One more thing' }])
  expect((await stateOf()).replies.recent).toMatchObject([{ delivered: false }])
  meanwhile.returned()
  delivery.returned()
  expect((await session.messages()).earlier.map(({ text }) => text)).toEqual(['Yes', 'One more thing'])
})

test('[Q9] messages after those that are on their way wait for them, so that none is passed over', async () => {
  await view.say('work', { text: 'First' })
  const first = await session.messages()
  await view.say('work', { text: 'Second' })
  const second = await session.messages()
  expect(second.earlier).toEqual([])
  second.arrived()
  first.returned()
  expect((await session.messages()).earlier.map(({ text }) => text)).toEqual(['First', 'Second'])
})

test('[Q9] a delivery that arrives after it came back is delivered after all', async () => {
  const delivery = await answered()
  delivery.returned()
  delivery.arrived()
  expect((await session.messages()).earlier).toEqual([])
  expect((await stateOf()).replies).toEqual({ recent: [] })
})

test('[Q18] an answer that was delivered is never the answer to a later question, whoever runs the agent again', async () => {
  const delivery = await answered('Yes, this time')
  delivery.arrived()
  session.close()
  const next = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  const call = next.ask(asked, forever)
  await view.answer(await nextQuestion(view), 'Not again')
  expect(await call).toMatchObject({
    settlements: [{ reply: 'Not again' }],
    // Nothing proved that the last one ever read it.
    earlier: [{ text: 'Yes, this time', in_reply_to: 'Deploy?' }],
  })
})

test('[Q26] two questions with the same words in one call are two questions, also when they are asked again', async () => {
  const twice = [...asked, ...asked]
  const stop = new AbortController()
  const call = session.ask(twice, { signal: stop.signal })
  await until(async () => (await stateOf()).open.length === 2)
  stop.abort(new Error('gone'))
  await expect(call).rejects.toThrow('gone')
  const again = session.ask(twice, forever)
  const [one, two] = (await stateOf()).open
  await view.answer(one?.id ?? '', 'For the first')
  await view.answer(two?.id ?? '', 'For the second')
  expect((await again).settlements.map(({ reply }) => reply)).toEqual(['For the first', 'For the second'])
})

test('[Q26] the same words with other options, files or quick replies are another question', async () => {
  const put = { ...agent, text: 'Which?' }
  leave(session.ask([put], forever))
  leave(session.ask([{ ...put, quick_replies: ['This'] }], forever))
  leave(session.ask([{ ...put, options: [{ label: 'This' }] }], forever))
  leave(session.ask([{ ...put, options: [{ label: 'That' }] }], forever))
  leave(session.ask([{ ...put, options: [{ label: 'That' }] }], forever))
  await until(async () => (await stateOf()).open.length === 4)
  await view.say('work', { text: 'Something that comes after them' })
  expect((await stateOf()).open).toHaveLength(4)
})

test('[Q26] two principals that ask the same are two questions, whatever they call themselves', async () => {
  const { chat } = openTestChat()
  const [one, other] = ['one', 'other'].map((name) => chat.as({ id: name, name, role: 'admin' })) as [View, View]
  for (const who of [one, one, other])
    leave(who.agentSession({ conversation: 'work', title: 'Work', visit: 'line' }).ask(asked, forever))
  await until(async () => (await one.conversation('work')).open.length === 2)
  await one.say('work', { text: 'Something that comes after them' })
  expect((await one.conversation('work')).open).toHaveLength(2)
})

test('[A23] approvals are one only by their key, however alike they look', async () => {
  const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
  const want = (key?: string) => session.ask([{ ...agent, key, text: 'Allow?', approval }], { ...forever, alone: true })
  const calls = [want(), want(), want('one'), want('one')]
  await until(async () => (await stateOf()).open.length === 3)
  const [first, second, third] = (await stateOf()).open
  await view.allow(first?.id ?? '', undefined)
  await view.deny(second?.id ?? '', undefined)
  await view.allow(third?.id ?? '', undefined)
  const outcomes = (await Promise.all(calls)).map(({ settlements }) => settlements[0]?.outcome)
  expect(outcomes).toEqual(['approved', 'denied', 'approved', 'approved'])
})

test('[A24] an approval whose call is cancelled is withdrawn, unless another call waits for it', async () => {
  const approval = { tool_name: 'Bash', input: '{}' }
  const stops = [new AbortController(), new AbortController()]
  const calls = stops.map(({ signal }) =>
    session.ask([{ ...agent, key: 'one', text: 'Allow?', approval }], { signal, alone: true }),
  )
  const question = await nextQuestion(view)
  stops[0]?.abort(new Error('gone'))
  await expect(calls[0]).rejects.toThrow('gone')
  expect((await stateOf()).open.map(({ id }) => id)).toEqual([question])
  stops[1]?.abort(new Error('gone'))
  await expect(calls[1]).rejects.toThrow('gone')
  expect((await stateOf()).open).toEqual([])
  await expect(view.allow(question, undefined)).rejects.toMatchObject({ code: 'question_settled' })
})

test('[A24] whatever becomes of the card, a call that is cancelled or whose hub closes is told so', async () => {
  const { chat, view: here } = openTestChat()
  const approval = { tool_name: 'Bash', input: '{}' }
  const wait = { ...forever, alone: true }
  const call = here
    .agentSession({ conversation: 'work', title: 'Work' })
    .ask([{ ...agent, text: 'Allow?', approval }], wait)
  await nextQuestion(here)
  await chat.close()
  await expect(call).rejects.toMatchObject({ code: 'come_back' })
})

test('[Q19] the words of a stop, and what was typed before it, survive a call that has room for the verdict alone', async () => {
  await reached(session).tell({ kind: 'progress', by: 'agent', text: 'Working' })
  await view.say('work', { text: 'Be careful' })
  await view.interrupt('work', 'Do the tests first')
  const approval = { tool_name: 'Bash', input: '{}' }
  const stopped = await session.ask([{ ...agent, text: 'Allow?', approval }], { ...forever, alone: true })
  expect(stopped).toMatchObject({ interrupted: 'Do the tests first', earlier: [], settlements: [] })
  stopped.returned()
  const again = await session.ask([{ ...agent, text: 'Allow?', approval }], { ...forever, alone: true })
  expect(again.interrupted).toBe('Do the tests first')
  again.arrived()
  expect(await session.messages()).toMatchObject({ interrupted: undefined, earlier: [{ text: 'Be careful' }] })
})

test('[Q19] every call that waits when the person stops the agent is told the words', async () => {
  const calls = ['One?', 'Two?', 'Three?'].map((text) => session.ask([{ ...agent, text }], forever))
  await until(async () => (await stateOf()).open.length === 3)
  await view.interrupt('work', 'Enough')
  const deliveries = await Promise.all(calls)
  for (const { interrupted } of deliveries) expect(interrupted).toBe('Enough')
  for (const { arrived } of deliveries) arrived()
  const next = session.ask(asked, forever)
  await view.answer(await nextQuestion(view), 'Yes')
  expect(await next).toMatchObject({ interrupted: undefined, earlier: [], settlements: [{ reply: 'Yes' }] })
})

test('[Q19] a stop that is on its way is told to the next call, too', async () => {
  await view.say('work', { text: 'Hello' })
  await view.interrupt('work', 'Enough')
  expect((await session.messages()).interrupted).toBe('Enough')
  const next = await session.ask(asked, { ...forever, waitMs: 1 })
  expect(next).toMatchObject({ interrupted: 'Enough', open: [] })
  expect((await stateOf()).open).toEqual([])
})

test('[Q92] of two stops both interrupt, and none of their words is a message besides', async () => {
  await view.say('work', { text: 'Hello' })
  await view.interrupt('work', 'Use blue')
  await view.interrupt('work', 'And hurry')
  const { interrupted, earlier } = await reached(session).messages()
  expect(interrupted).toBe('Use blue\n\nAnd hurry')
  expect(earlier.map(({ text }) => text)).toEqual(['Hello'])
  expect(await session.messages()).toMatchObject({ interrupted: undefined, earlier: [] })
})

test('[Q27] of more messages than one answer holds, each call brings the next ones, and a stop is told at once', async () => {
  const typed = Array.from({ length: 2500 }, (_, n) => `message ${n}`)
  await Promise.all(typed.map((text) => view.say('work', { text })))
  await view.interrupt('work', 'Wait')
  const here = reached(session)
  const first = await here.ask(asked, forever)
  expect(first.interrupted).toBe('Wait')
  expect(first.earlier.map(({ text }) => text)).toEqual(typed.slice(0, 1000))
  const { messages } = await stateOf()
  expect(messages.read < messages.last).toBe(true)
  const rest = [await here.messages(), await here.messages(), await here.messages()]
  expect(rest.map(({ interrupted }) => interrupted)).toEqual([undefined, undefined, undefined])
  expect(rest.flatMap(({ earlier }) => earlier.map(({ text }) => text))).toEqual(typed.slice(1000))
})

test('[Q28] replies that reach nobody cost a count and not a copy, and still arrive, each once and in order', async () => {
  const replies = Array.from({ length: 300 }, (_, n) => `reply ${n}`)
  for (const [n, reply] of replies.entries())
    await view.answer(await ask(view, { ...agent, text: `question ${n}` }), reply)
  const state = await stateOf()
  expect(state.replies.recent.length + (state.replies.older?.count ?? 0)).toBe(300)
  expect(JSON.stringify(state).length).toBeLessThan(8000)
  const here = reached(session)
  const first = await here.messages()
  const second = await here.messages()
  const all = [...first.earlier, ...second.earlier, ...(await here.messages()).earlier]
  expect(all.map(({ text }) => text)).toEqual(replies)
  expect(all.map(({ in_reply_to }) => in_reply_to)).toEqual(replies.map((_, n) => `question ${n}`))
  await here.messages()
  expect((await stateOf()).replies).toEqual({ recent: [] })
})

test('[Q28] of many unread replies those that came back are handed over again', async () => {
  for (let n = 0; n < 100; n++) await view.answer(await ask(view, { ...agent, text: `question ${n}` }), `reply ${n}`)
  const first = await session.messages()
  first.returned()
  const again = await reached(session).messages()
  expect(again.earlier).toEqual(first.earlier)
})

test('[Q85] what its line shows to be delivered has arrived, whatever becomes of the connection it went over', async () => {
  const delivery = await answered()
  session.remember(delivery.deliveredIds as DeliveredIds)
  delivery.returned()
  expect((await session.messages()).earlier).toEqual([])
  expect((await stateOf()).replies).toEqual({ recent: [] })
})

test('[Q85] what is shown again counts once', async () => {
  const delivery = await answered()
  const deliveredIds = delivery.deliveredIds as DeliveredIds
  delivery.arrived()
  session.remember(deliveredIds)
  await session.messages()
  session.remember(deliveredIds)
  await session.messages()
  expect(await receipts()).toEqual(['read'])
})

test('[M75] what was let fall comes again, and is not said to be delivered', async () => {
  const delivery = await answered()
  delivery.arrived()
  delivery.missed()
  delivery.missed()
  const again = await session.messages()
  expect(again.earlier).toMatchObject([{ text: 'Yes', in_reply_to: 'Deploy?' }])
  expect(await receipts()).toEqual([])
})

test('[M75] what a later call has proven was not let fall', async () => {
  const delivery = await answered()
  delivery.arrived()
  await session.messages()
  delivery.missed()
  expect((await session.messages()).earlier).toEqual([])
})
