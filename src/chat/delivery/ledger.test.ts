import { beforeEach, expect, test } from 'vitest'
import { forever, nextQuestion, openTestChat, reached } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import type { DeliveredIds } from '../../protocol/frames/link.ts'
import type { Chat } from '../chat.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'

let chat: Chat
let view: View
let session: AgentSession

beforeEach(() => {
  const clock = fakeClock()
  ;({ chat, view } = openTestChat({ clock }))
  // Everybody is back who was at a hub before.
  clock.advance(60_000)
  session = newSession()
})

function newSession(visit?: string): AgentSession {
  return view.agentSession({ conversation: 'work', title: 'Work', visit })
}

async function answered(asks = session, text = 'Deploy?') {
  const call = asks.ask([{ by: 'agent', text }], forever)
  await view.answer(await nextQuestion(view), 'Yes')
  return call
}

/** Also those that are kept with whatever comes next. */
async function receipts(): Promise<string[]> {
  await view.rename('work', 'Work')
  const { entries } = await view.page('work', { limit: 100 })
  return entries.flatMap(({ body }) => (body.kind === 'receipt' ? [body.state] : []))
}

/** Takes longer than looking who has something. */
async function somethingElse() {
  for (const text of 'abcdefghij') await view.say('work', { text })
}

async function replies() {
  return (await view.conversation('work')).replies.recent
}

test('[M75] what was let fall is not said to be delivered by whatever is written next', async () => {
  const delivery = await answered()
  delivery.arrived()
  delivery.missed()
  expect(await receipts()).toEqual([])
  expect(await replies()).toMatchObject([{ delivered: false }])
})

test('[Q85] what a line shows that its agent cannot have got there counts for nothing', async () => {
  const said = await view.say('work', { text: 'Hello' })
  const elsewhere = view.agentSession({ conversation: 'other', title: 'Other' })
  const call = elsewhere.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  await view.answer(await nextQuestion(view, 'other'), 'Yes')
  const { deliveredIds } = await call
  const { replies } = deliveredIds as DeliveredIds
  expect(replies).toHaveLength(1)
  session.remember({ conversation: 'work', replies })
  expect((await session.messages()).earlier).toMatchObject([{ text: 'Hello' }])
  expect(await receipts()).toEqual([])
  const [message, unknown] = [said.id, '0000000000000009']
  session.remember({ conversation: 'work', messages_to: message, replies: [message, unknown], ahead: [message] })
  await session.messages()
  const { entries } = await view.page('work', { limit: 100 })
  const [receipt, ...others] = entries.flatMap(({ body }) => (body.kind === 'receipt' ? body : []))
  expect([receipt, others]).toMatchObject([{ state: 'read', messages_to: message, replies: [] }, []])
  expect(receipt).not.toHaveProperty('ahead')
})

test('[Q85] what its line shows to a hub that knows nothing of it is read with the next call', async () => {
  const { deliveredIds, returned } = await answered()
  returned()
  session.close()
  const next = newSession()
  next.remember(deliveredIds as DeliveredIds)
  expect((await next.messages()).earlier).toEqual([])
  expect(await replies()).toEqual([])
})

test('[Q9] what several calls prove at once is read once', async () => {
  const delivery = await answered()
  delivery.arrived()
  await Promise.all([session.messages(), session.messages()])
  expect(await receipts()).toEqual(['read'])
})

test('[Q9] what one agent has read takes nothing from what another has got', async () => {
  const other = newSession()
  const [first, second] = [await answered(), await answered(other, 'Really?')]
  second.arrived()
  first.arrived()
  await session.messages()
  expect(await receipts()).toEqual(['delivered', 'read'])
  expect(await replies()).toMatchObject([{ delivered: true }])
})

test('[O7] a reply that two calls bring is not received before it is known what became of both', async () => {
  const driver = chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
  const call = session.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  const question = await nextQuestion(view)
  const again = session.resume([question], forever)
  const { id } = await view.answer(question, 'Yes')
  const [first, second] = await Promise.all([call, again])
  await driver.acquire('work', 'me', 300)
  const received = driver.receive('work', 'me', 'k', [id])
  await somethingElse()
  first.returned()
  await somethingElse()
  second.arrived()
  expect((await received).received).toEqual([])
})

test('[Q9] [G66] what became of a call is on its way with one answer, of the chat or of a tool', async () => {
  const { mountedCalls: calls } = chat
  const agent = { asker: view.principal.id, agent: 'agent', folder: '', visit: 'line' }
  const named = { by: 'agent', server: 'files', tool: 'write', tool_name: 'files_write', call_id: 'call' }
  const approval = { ...named, input: '{}' }
  const asked = {
    kind: 'question' as const,
    by: 'agent',
    text: 'Allow?',
    asker: agent.asker,
    folder: '',
    visit: 'line',
  }
  const question = await calls.ask('work', { ...asked, approval })
  await view.allow(question, undefined)
  await calls.begin('work', { ...named, tool_args: '{}', decided: { decision: 'allow' } }, {})
  await calls.end('work', { ...named, result: 'ok', success: true, duration_ms: 1 })
  await calls.tell('call', 'It is done')
  const there = newSession('line')
  there.speaksAs('agent')

  const [{ message = '' } = {}] = await calls.untold('work', agent)
  const brought = await there.messages()
  expect(brought.earlier).toMatchObject([{ text: 'It is done' }])
  expect(calls.isCarried(message)).toBe(true)
  brought.returned()
  expect(calls.isCarried(message)).toBe(false)

  await view.say('work', { text: 'Next' })
  const cameBack = calls.carry([message])
  expect((await reached(there).messages()).earlier).toEqual([])
  // Nobody else waits for what is not theirs.
  expect((await newSession().messages()).earlier).toMatchObject([{ text: 'Next' }])
  cameBack()
  const again = await there.messages()
  expect(again.earlier.map(({ text }) => text)).toEqual(['It is done', 'Next'])
  again.arrived()
  expect(calls.isCarried(message)).toBe(true)
  await receipts()
  expect(calls.isCarried(message)).toBe(false)
  expect(await calls.untold('work', agent)).toEqual([])
})
