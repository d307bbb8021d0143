import { beforeEach, expect, test } from 'vitest'
import { forever, nextQuestion, openTestChat, reached, until } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import type { DeliveredIds } from '../../protocol/frames/link.ts'
import type { Chat } from '../chat.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'
import { covers, isEmpty, isSame, together } from './contents.ts'
import { createLedger } from './ledger.ts'
import type { Contents } from './undelivered.ts'

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

test('[Q85] of two answers that bring the same, the one that is on its way is what its line shows', async () => {
  const call = reached(session).ask([{ by: 'agent', text: 'Deploy?' }], forever)
  const question = await nextQuestion(view)
  const again = session.resume([question], forever)
  await view.answer(question, 'Yes')
  const [first, second] = await Promise.all([call, again])
  session.remember(second.deliveredIds as DeliveredIds)
  first.missed()
  second.returned()
  expect((await session.messages()).earlier).toEqual([])
})

test('[Q85] what its line shows after it was read is not read again', async () => {
  const { deliveredIds, arrived, missed } = await answered()
  arrived()
  await session.messages()
  missed()
  session.remember(deliveredIds as DeliveredIds)
  await session.messages()
  expect(await receipts()).toEqual(['read'])
})

test('[Q85] nothing is told before all that lines show is looked at, however long that takes', async () => {
  const looks = new Map<string, () => void>()
  const recognise = (_: string, told: Contents) =>
    new Promise<Contents>((resolve) => looks.set(told.replies.join(), () => resolve(told)))
  const ledger = createLedger({ rooms: { append: async () => [] }, report: expect.unreachable })
  const account = ledger.account({ conversation: 'work', whose: { asker: 'one' }, recognise })
  for (const reply of ['1', '2']) account.remember({ conversation: 'work', replies: [reply] })
  looks.get('1')?.()
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  const proof = account.proving(async (read) => read)
  looks.get('2')?.()
  expect(await proof).toMatchObject({ state: 'read', replies: ['1', '2'] })
  expect(account.remembered()).toBeUndefined()
})

test('[Q27] messages wait for those and for older replies that are on their way, and for none that has arrived', () => {
  const ledger = createLedger({ rooms: { append: async () => [] }, report: expect.unreachable })
  for (const contents of [{ messages_to: '1' }, { replies_to: '1' }]) {
    const account = ledger.account({ conversation: 'work', whose: { asker: 'one' }, recognise: expect.unreachable })
    const { arrived } = account.offer({ replies: [], ...contents })
    expect(account.given().busy).toBe(true)
    arrived()
    expect(account.given().busy).toBe(false)
  }
})

test('[Q9] what many calls have on their way stays theirs when another call proves what it got', async () => {
  const calls = Array.from({ length: 40 }, (_, n) => session.ask([{ by: 'agent', text: `${n}?` }], forever))
  await until(async () => (await view.conversation('work')).open.length === 40)
  for (const { id } of (await view.conversation('work')).open) await view.answer(id, 'Yes')
  const [last] = (await Promise.all(calls)).reverse()
  last?.arrived()
  for (let n = 0; n < 2; n++) expect((await session.messages()).earlier).toEqual([])
})

test('[Q9] one proof is of all that arrived, messages and replies', async () => {
  const reply = await answered()
  const { id } = await view.say('work', { text: 'Hello' })
  const message = await session.messages()
  for (const { arrived } of [reply, message]) arrived()
  await session.messages()
  const { messages, replies } = await view.conversation('work')
  expect([messages.read, replies]).toEqual([id, { recent: [] }])
  const { entries } = await view.page('work', { limit: 100 })
  const read = entries.flatMap(({ body }) => (body.kind === 'receipt' && body.state === 'read' ? body : []))
  expect(read).toEqual([
    {
      ...{ kind: 'receipt', state: 'read', asker: view.principal.id, visit: expect.any(String) },
      ...{ messages_to: id, replies: reply.deliveredIds?.replies },
    },
  ])
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

const MUCH: Contents = { messages_to: '5', messages: ['4'], ahead: ['7'], replies: ['3'], replies_to: '2', stop: '1' }
const LITTLE: Contents = { replies: [] }

test('[Q9] what is late need not be noted where all of it was read', () => {
  const read = (contents: Partial<Contents>, late: Partial<Contents> = MUCH) =>
    covers({ kind: 'receipt', state: 'read', ...contents }, { kind: 'receipt', state: 'delivered', ...late })
  expect([read(MUCH), read(MUCH, {}), read({}, {}), read({})]).toEqual([true, true, true, false])
  expect(read({ ...MUCH, messages_to: '7', ahead: undefined })).toBe(true)
  expect(read({ ...MUCH, messages_to: '6', ahead: ['8'] })).toBe(false)
  const more = {
    messages_to: '6',
    messages: ['4', '5'],
    ahead: ['7', '8'],
    replies: ['3', '4'],
    replies_to: '3',
    stop: '2',
  }
  for (const [name, value] of Object.entries(more)) {
    expect([name, read({ ...MUCH, [name]: value })]).toEqual([name, true])
    expect([name, read(MUCH, { ...MUCH, [name]: value })]).toEqual([name, false])
  }
})

test('[Q85] contents are the same where all is that a line shows, and empty where it shows nothing', () => {
  const { messages: _, ...shown } = MUCH
  expect([isSame(MUCH, shown), isSame(LITTLE, { replies: [], ahead: [] }), isSame(MUCH, LITTLE)]).toEqual([
    true,
    true,
    false,
  ])
  for (const other of [
    { messages_to: '6' },
    { replies_to: '3' },
    { stop: '2' },
    { replies: ['3', '4'] },
    { ahead: [] },
  ]) {
    expect(isSame(MUCH, { ...MUCH, ...other })).toBe(false)
    expect(isSame({ ...MUCH, ...other }, MUCH)).toBe(false)
  }
  expect([isEmpty(MUCH), isEmpty(LITTLE), isEmpty({ replies: [], ahead: ['7'] })]).toEqual([false, true, true])
  for (const one of [{ messages_to: '1' }, { replies_to: '1' }, { stop: '1' }, { replies: ['1'] }])
    expect(isEmpty({ ...LITTLE, ...one })).toBe(false)
})

test('[Q9] together several have the latest of each, and all that is named', () => {
  const of = (...all: Contents[]) => together(all.map((contents) => ({ contents })))
  const other = { messages_to: '6', messages: ['6'], ahead: ['8'], replies: ['9'], replies_to: '1', stop: '3' }
  expect(of(MUCH, LITTLE, other)).toStrictEqual({
    ...{ messages_to: '6', messages: ['4', '6'], ahead: ['7', '8'], replies: ['3', '9'], replies_to: '2', stop: '3' },
  })
  expect(of(other, MUCH)).toMatchObject({ messages_to: '6', replies_to: '2', stop: '3' })
  expect(of(LITTLE, LITTLE)).toStrictEqual({
    ...LITTLE,
    messages_to: undefined,
    replies_to: undefined,
    stop: undefined,
  })
})
