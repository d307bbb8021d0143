import { beforeEach, expect, test } from 'vitest'
import { forever, nextQuestion, openTestChat, reached } from '../../test/support/chat.ts'
import type { DriverView } from './driver-view.ts'
import type { Seat } from './seat.ts'
import type { View } from './view.ts'

let view: View
let driver: DriverView
let seat: Seat

beforeEach(async () => {
  const { chat, view: all } = openTestChat()
  view = all
  driver = chat.as({ id: 'runner', name: 'runner', role: 'orchestrator' }).driver()
  seat = reached(view.seat({ conversation: 'work', title: 'Work' }))
  await driver.hold('work', 'me', 300)
})

const deploy = [{ by: 'agent', text: 'Deploy?' }]

test('[O14] in a conversation that is held, a call of the agent brings the reply to its question and nothing else', async () => {
  await view.say('work', { text: 'Also the tests' })
  const call = seat.ask(deploy, forever)
  const question = await nextQuestion(view)
  await view.say('work', { text: 'And the docs' })
  await view.answer(question, 'Yes')
  expect(await call).toMatchObject({ settlements: [{ reply: 'Yes' }], earlier: [] })
  expect((await seat.messages()).earlier).toEqual([])
  expect((await seat.tell({ kind: 'progress', by: 'agent', text: 'On it' })).earlier).toEqual([])
  expect((await view.conversation('work')).messages.read).toBe('0'.repeat(16))
})

test('[O14] once nobody holds it, what nobody received comes with the next call', async () => {
  const { id } = await view.say('work', { text: 'One' })
  await view.say('work', { text: 'Two' })
  await driver.receive('work', 'me', 'k', [id])
  await driver.release('work', 'me')
  expect((await seat.messages()).earlier).toMatchObject([{ text: 'Two' }])
})

test('[O14] an agent that calls is told of a stop until its driver has received it, and asks nobody meanwhile', async () => {
  const call = seat.ask(deploy, forever)
  await nextQuestion(view)
  const { id } = await view.interrupt('work', 'Hold on')
  expect(await call).toMatchObject({ interrupted: 'Hold on', earlier: [] })
  expect(await seat.ask(deploy, forever)).toMatchObject({ interrupted: 'Hold on' })
  expect((await view.conversation('work')).open).toEqual([])
  expect(await driver.receive('work', 'me', 'k', [id])).toEqual([id])
  const again = seat.ask(deploy, forever)
  await view.answer(await nextQuestion(view), 'Yes')
  expect(await again).toMatchObject({ settlements: [{ reply: 'Yes' }] })
})
