import { expect, test } from 'vitest'
import { ask, forever, newLog, openTestChat, person, reached } from '../../test/support/chat.ts'
import { ERRORS } from '../protocol/errors.ts'
import type { View } from './view.ts'

const received = ERRORS.already_received.text
const notRevisable = ERRORS.not_revisable.text

const say = (view: View, text: string) => view.say('work', { text })
const takeBack = (view: View, message: { id: string }) => view.revise('work', message.id, undefined)
const seatIn = (view: View) => view.seat({ conversation: 'work', title: 'work' })

async function texts(view: View): Promise<string[]> {
  return (await reached(seatIn(view)).messages()).earlier.map(({ text }) => text)
}

async function shown(view: View) {
  const { entries } = await view.page('work', { limit: 100 })
  return entries.flatMap(({ body }) => (body.kind === 'message' ? [[body.text, body.revised]] : []))
}

test('[Q50] an agent gets the newest words of a message, once, and nothing of one that was taken back', async () => {
  const { view } = openTestChat()
  const [first, second] = [await say(view, 'Frist'), await say(view, 'Never mind')]
  await say(view, 'Third')
  await view.revise('work', first.id, 'Second try')
  await takeBack(view, second)
  await view.revise('work', first.id, 'First')
  const seat = reached(seatIn(view))
  expect((await seat.messages()).earlier.map(({ text }) => text)).toEqual(['First', 'Third'])
  expect((await seat.messages()).earlier).toEqual([])
  expect(await shown(view)).toEqual([
    ['First', 'changed'],
    ['', 'taken_back'],
    ['Third', undefined],
  ])
})

test('[Q50] a waiting call brings the newest words beside its reply', async () => {
  const { view } = openTestChat()
  const [gone, kept] = [await say(view, 'Gone'), await say(view, 'Old')]
  const question = await ask(view, { by: 'kimi', text: 'Deploy?' })
  const call = seatIn(view).resume([question], forever)
  await takeBack(view, gone)
  await view.revise('work', kept.id, 'New')
  await view.answer(question, 'Yes')
  expect(await call).toMatchObject({ settlements: [{ reply: 'Yes' }], earlier: [{ text: 'New' }] })
})

test('[Q51] what is on its way to an agent, arrived or came back cannot be taken back or changed', async () => {
  const { view } = openTestChat()
  const message = await say(view, 'Hello')
  const parcel = await seatIn(view).messages()
  await expect(takeBack(view, message)).rejects.toThrow(received)
  parcel.returned()
  await expect(view.revise('work', message.id, 'Other')).rejects.toThrow(received)
  expect(await texts(view)).toEqual(['Hello'])
  await expect(takeBack(view, message)).rejects.toThrow(received)
  expect(await shown(view)).toEqual([['Hello', undefined]])
})

test('[Q51] a hub that starts again knows what was handed out', async () => {
  const log = newLog()
  const { view } = openTestChat({ log })
  const message = await say(view, 'Hello')
  await seatIn(view).messages()
  const later = await say(view, 'Later')
  const { view: next } = openTestChat({ log })
  await expect(takeBack(next, message)).rejects.toThrow(received)
  await takeBack(next, later)
})

test('[Q52] of a revision and a delivery at the same time exactly one wins', async () => {
  const { view } = openTestChat()
  for (let round = 0; round < 50; round++) {
    const message = await say(view, `Old ${round}`)
    const seat = reached(seatIn(view))
    const both = [
      () =>
        view.revise('work', message.id, round % 4 < 2 ? undefined : 'New').then(
          () => (round % 4 < 2 ? [] : ['New']),
          () => [`Old ${round}`],
        ),
      async () => (await seat.messages()).earlier.map(({ text }) => text),
    ]
    // Each a few turns earlier than the other, so that they meet in every phase.
    const [one, other] = round % 2 ? both : both.toReversed()
    const first = one?.()
    for (let turn = 0; turn < Math.floor(round / 4); turn++) await Promise.resolve()
    const second = other?.()
    expect(await first).toEqual(await second)
    // What was only revised may still wait.
    await seat.messages()
  }
})

test('[Q53] only words of one’s own are revised, and nothing that is more than words', async () => {
  const { chat, view } = openTestChat()
  const [ada, bob] = [person(chat, 'ada'), person(chat, 'bob')]
  const message = await ada.say('work', { text: 'Hello' })
  await expect(takeBack(bob, message)).rejects.toThrow(notRevisable)
  await expect(ada.revise('work', message.id, ' ')).rejects.toThrow('must not be empty')
  await expect(ada.revise('other', message.id, 'x')).rejects.toThrow('There is no conversation "other"')
  await bob.say('other', { text: 'Hello' })
  await expect(ada.revise('other', message.id, 'x')).rejects.toThrow(`There is no message "${message.id}"`)
  await expect(ada.revise('work', 'nothing', 'x')).rejects.toThrow('There is no message "nothing"')
  const told = await view.tell('work', { by: 'kimi', text: 'Hi' })
  await expect(takeBack(view, told)).rejects.toThrow(notRevisable)
  const question = await ask(view, { by: 'kimi', text: 'Deploy?' })
  const answer = await ada.answer(question, 'Yes')
  await expect(takeBack(ada, answer)).rejects.toThrow('There is no message')
  const stop = await ada.interrupt('work', 'Stop')
  await expect(takeBack(ada, stop)).rejects.toThrow(notRevisable)
  const json = await ada.say('work', { text: '{}', mime: 'application/json', structured: true })
  await expect(ada.revise('work', json.id, 'x')).rejects.toThrow(notRevisable)
  await takeBack(ada, message)
  await expect(ada.revise('work', message.id, 'Back again')).rejects.toThrow(notRevisable)
  expect((await shown(view))[0]).toEqual(['', 'taken_back'])
})

test('[Q54] a message can be named by its key right behind its post, and a repeated revision happens once', async () => {
  const { view } = openTestChat()
  const said = view.say('work', { text: 'Frist' }, 'k1')
  const [first, again] = [view.revise('work', 'k1', 'First', 'k2'), view.revise('work', 'k1', 'First', 'k2')]
  expect(await again).toEqual(await first)
  expect((await first).body).toEqual({ kind: 'revision', by: 'person', message: (await said).id, text: 'First' })
  const gone = await view.revise('work', 'k1', undefined, 'k3')
  expect(await view.revise('work', 'k1', undefined, 'k3')).toEqual(gone)
  expect((await view.page('work', { limit: 10 })).entries).toHaveLength(3)
})

test('[Q56] a page far from the revision has the newest words, also after a restart', async () => {
  const log = newLog()
  const { view } = openTestChat({ log })
  const [changed, gone] = [await say(view, 'Frist'), await say(view, 'Secret')]
  await Promise.all(Array.from({ length: 1500 }, (_, n) => view.tell('work', { by: 'kimi', text: `${n}` })))
  await view.revise('work', changed.id, 'First')
  await takeBack(view, gone)
  for (const { view: reader } of [{ view }, openTestChat({ log })]) {
    const { entries } = await reader.page('work', { after: '0'.repeat(16), limit: 2 })
    expect(entries.map(({ body }) => body)).toMatchObject([
      { text: 'First', revised: 'changed' },
      { text: '', revised: 'taken_back' },
    ])
  }
})

test('[Q56] the list shows the newest words, and none of what was taken back', async () => {
  const { view } = openTestChat()
  const message = await say(view, 'Frist')
  await view.revise('work', message.id, 'First')
  expect((await view.conversation('work')).preview).toBe('First')
  await takeBack(view, message)
  expect((await view.conversation('work')).preview).toBe('')
})
