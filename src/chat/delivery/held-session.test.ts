import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { ask, forever, nextQuestion, openTestChat, reached, until } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import type { DriverView } from '../driving/driver-view.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'
import { PATIENCE_MS } from './receiving.ts'

let view: View
let driver: DriverView
let session: AgentSession

beforeEach(async () => {
  const { chat, view: all } = openTestChat()
  view = all
  driver = chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
  session = reached(view.agentSession({ conversation: 'work', title: 'Work' }))
  await driver.acquire('work', 'me', 300)
})

const deploy = [{ by: 'agent', text: 'Deploy?' }]

test('[O14] in a conversation that is held, a call of the agent brings the reply to its question and nothing else', async () => {
  await view.say('work', { text: 'Also the tests' })
  const call = session.ask(deploy, forever)
  const question = await nextQuestion(view)
  await view.say('work', { text: 'And the docs' })
  await view.answer(question, 'Yes')
  expect(await call).toMatchObject({ settlements: [{ reply: 'Yes' }], earlier: [] })
  expect((await session.messages()).earlier).toEqual([])
  expect((await session.tell({ kind: 'progress', by: 'agent', text: 'On it' })).earlier).toEqual([])
  expect((await view.conversation('work')).messages.read).toBe('0'.repeat(16))
})

test('[O14] once nobody holds it, what nobody received comes with the next call', async () => {
  const { id } = await view.say('work', { text: 'One' })
  await view.say('work', { text: 'Two' })
  await driver.receive('work', 'me', 'k', [id])
  await driver.release('work', 'me')
  expect((await session.messages()).earlier).toMatchObject([{ text: 'Two' }])
})

test('[O14] an agent that calls is told of a stop until its driver has received it, and asks nobody meanwhile', async () => {
  const call = session.ask(deploy, forever)
  await nextQuestion(view)
  const { id } = await view.interrupt('work', 'Hold on')
  expect(await call).toMatchObject({ interrupted: 'Hold on', earlier: [] })
  expect(await session.ask(deploy, forever)).toMatchObject({ interrupted: 'Hold on' })
  expect((await view.conversation('work')).open).toEqual([])
  expect(await driver.receive('work', 'me', 'k', [id])).toEqual({ received: [id] })
  const again = session.ask(deploy, forever)
  await view.answer(await nextQuestion(view), 'Yes')
  expect(await again).toMatchObject({ settlements: [{ reply: 'Yes' }] })
})

test('[O108] what is on its way to the agent when the lease begins is received only if it comes back', async () => {
  for (const becomes of ['arrived', 'returned'] as const) {
    const { chat, view } = openTestChat()
    const { id } = await view.say('work', { text: 'Also the tests' })
    const own = view.agentSession({ conversation: 'work', title: 'Work' })
    const delivery = await own.messages()
    const driver = chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
    await driver.acquire('work', 'me', 300)
    const received = driver.receive('work', 'me', 'k', [id])
    // Nobody can say yet who has it.
    expect(await Promise.race([received, conversationSays(view, 'abcdefghij')])).toBe('said')
    delivery[becomes]()
    expect(await received).toEqual({ received: becomes === 'arrived' ? [] : [id] })
    expect((await own.messages()).earlier).toEqual([])
  }
})

test('[O108] a call that begins before the lease and is filled after it has what it brings alone', async () => {
  const { chat, view } = openTestChat()
  const { id } = await view.say('work', { text: 'Also the tests' })
  const driver = chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
  const [delivery, received] = await Promise.all([
    reached(view.agentSession({ conversation: 'work', title: 'Work' })).messages(),
    driver.acquire('work', 'me', 300).then(() => driver.receive('work', 'me', 'k', [id])),
  ])
  expect(delivery.earlier.length + received.received.length).toBe(1)
})

test('[O108] also a late reply, and who is told to wait changes nothing', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { chat, view } = openTestChat()
  const id = await ask(view, { by: 'agent', text: 'Deploy?' })
  const { id: reply } = await view.answer(id, 'Yes')
  const delivery = await view.agentSession({ conversation: 'work', title: 'Work' }).messages()
  expect(delivery.earlier).toMatchObject([{ text: 'Yes' }])
  const driver = chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
  await driver.acquire('work', 'me', 300)
  const armed = vi.getTimerCount()
  const refused = expect(driver.receive('work', 'me', 'k', [reply])).rejects.toMatchObject({ code: 'on_its_way' })
  await until(() => vi.getTimerCount() > armed)
  vi.advanceTimersByTime(PATIENCE_MS)
  await refused
  delivery.returned()
  expect(await driver.receive('work', 'me', 'k', [reply])).toEqual({ received: [reply] })
})

test('[O7] a message is received without the reply that may be on its way to its asker', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const call = view.agentSession({ conversation: 'work', title: 'Work' }).ask(deploy, forever)
  const { id: reply } = await view.answer(await nextQuestion(view), 'Yes')
  await call
  const { id: message } = await view.say('work', { text: 'Also the tests' })
  const received = driver.receive('work', 'me', 'k', [reply, message])
  await until(async () => {
    vi.advanceTimersByTime(PATIENCE_MS)
    return (await Promise.race([received, undefined])) !== undefined
  })
  expect(await received).toEqual({ received: [message] })
})

async function conversationSays(view: View, letters: string) {
  for (const text of letters) await view.say('work', { text })
  return 'said'
}

test('[M9] a session is idle since its last call, and never while one waits', async () => {
  const clock = fakeClock()
  const { view } = openTestChat({ clock })
  const session = view.agentSession({ conversation: 'work', title: 'Work' })
  const call = session.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  const question = await nextQuestion(view)
  clock.advance(5000)
  expect(session.idleMs()).toBe(0)
  await view.answer(question, 'Yes')
  await call
  clock.advance(7000)
  expect(session.idleMs()).toBe(7000)
})
