import { expect, test } from 'vitest'
import { forever, nextQuestion, openTestChat, reached, until } from '../../test/support/chat.ts'
import { systemClock } from '../chat/clock.ts'
import type { Reception } from '../chat/reception.ts'
import { takeSeat } from '../chat/seat.ts'
import type { View } from '../chat/view.ts'
import { LinkLost } from './joined-hub.ts'
import { createMovingReception, type Found } from './moving-reception.ts'

/** Hubs that are found one after the other; a search waits until the test says what it finds. */
function openHubs() {
  const searches: PromiseWithResolvers<Found>[] = []
  const moving = createMovingReception(() => {
    const search = Promise.withResolvers<Found>()
    searches.push(search)
    return search.promise
  })
  let keys = 0
  const newKey = () => `key ${++keys}`
  const take = () =>
    reached(takeSeat({ reception: moving, clock: systemClock, newKey, conversation: 'work', title: 'Work' }))
  return { moving, searches, take }
}

function openHub() {
  const { chat, view } = openTestChat()
  const here = view.reception()
  const lost = Promise.withResolvers<void>()
  const gone = lost.promise.then(() => Promise.reject(new LinkLost()))
  gone.catch(() => {})
  const outcome: Reception['outcome'] = (...args) => Promise.race([here.outcome(...args), gone])
  return { chat, view, found: { reception: { ...here, outcome }, lost: lost.promise }, lose: lost.resolve }
}

async function answerNext(view: View, reply: string) {
  await view.answer(await nextQuestion(view), reply)
}

test('[C38] a search that fails is told to who asked, and the next call searches again and enters first', async () => {
  const { searches, take } = openHubs()
  const first = openHub()
  searches[0]?.resolve(first.found)
  const seat = take()
  await first.view.say('work', { text: 'Hello' })
  await seat.messages()
  expect(first.chat.agents()).toEqual(['work'])
  first.lose()
  await new Promise(setImmediate)
  const failing = seat.messages()
  searches[1]?.reject(new Error('No hub can be had'))
  await expect(failing).rejects.toThrow('No hub can be had')
  const call = seat.ask([{ by: 'agent', text: 'Anybody?' }], forever)
  await until(() => searches.length === 3)
  const second = openHub()
  searches[2]?.resolve(second.found)
  await answerNext(second.view, 'Me')
  expect((await call).settlements).toMatchObject([{ reply: 'Me' }])
  expect(second.view.agentState('work')).toBe('working')
})

test('[C30] a call that waits is waited for in the next hub, where its agent is as busy as before', async () => {
  const { searches, take } = openHubs()
  const hub = openHub()
  searches[0]?.resolve(hub.found)
  const seat = take()
  const call = seat.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  await until(() => hub.chat.openQuestions() === 1)
  hub.lose()
  await until(() => searches.length === 2)
  // The same log under another hub: only the link was lost.
  searches[1]?.resolve({ reception: hub.view.reception(), lost: new Promise(() => {}) })
  await until(() => hub.view.agentState('work') === 'waiting')
  await answerNext(hub.view, 'Yes')
  expect((await call).settlements).toMatchObject([{ reply: 'Yes' }])
})

test('[C21] a call that waits for a hub to be found is told that its process closes', async () => {
  const { moving, searches, take } = openHubs()
  const hub = openHub()
  searches[0]?.resolve(hub.found)
  const seat = take()
  const waits = seat.ask([{ by: 'agent', text: 'Deploy?' }], forever)
  await until(() => hub.chat.openQuestions() === 1)
  hub.lose()
  await until(() => searches.length === 2)
  const asks = seat.ask([{ by: 'agent', text: 'Test?' }], forever)
  moving.close()
  await expect(waits).rejects.toMatchObject({ code: 'come_back' })
  await expect(asks).rejects.toMatchObject({ code: 'shutting_down' })
})
