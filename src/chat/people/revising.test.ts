import { expect, test } from 'vitest'
import { ask, forever, newLog, openTestChat, person, reached } from '../../../test/support/chat.ts'
import { ERRORS } from '../../protocol/errors.ts'
import type { AgentSession } from '../delivery/agent-session.ts'
import type { View } from '../view.ts'

const notRevisable = ERRORS.not_revisable.text

const say = (view: View, text: string) => view.say('work', { text })
const takeBack = (view: View, message: { id: string }) => view.revise('work', message.id, undefined)
const sessionIn = (view: View) => view.agentSession({ conversation: 'work', title: 'work' })

async function texts(view: View): Promise<string[]> {
  return (await reached(sessionIn(view)).messages()).earlier.map(({ text }) => text)
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
  const session = reached(sessionIn(view))
  expect((await session.messages()).earlier.map(({ text }) => text)).toEqual(['First', 'Third'])
  expect((await session.messages()).earlier).toEqual([])
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
  const call = sessionIn(view).resume([question], forever)
  await takeBack(view, gone)
  await view.revise('work', kept.id, 'New')
  await view.answer(question, 'Yes')
  expect(await call).toMatchObject({ settlements: [{ reply: 'Yes' }], earlier: [{ text: 'New' }] })
})

test('[Q51] who has a message is told once how it was changed and that it was taken back', async () => {
  const { view } = openTestChat()
  const [changed, gone] = [await say(view, 'Frist'), await say(view, 'Delete all')]
  const session = reached(sessionIn(view))
  await session.messages()
  await view.revise('work', changed.id, 'Second try')
  await view.revise('work', changed.id, 'First')
  await takeBack(view, gone)
  expect((await session.messages()).earlier).toEqual([
    {
      text: 'The person changed an earlier message, "Frist". It now says:\n\nFirst',
      revises: 'Frist',
      at: expect.any(Number),
    },
    {
      text: 'The person took back an earlier message, "Delete all". Do not act on it.',
      revises: 'Delete all',
      at: expect.any(Number),
    },
  ])
  expect((await session.messages()).earlier).toEqual([])
  await view.revise('work', changed.id, 'Once more')
  expect(await session.messages()).toMatchObject({ earlier: [{ revises: 'First' }] })
})

test('[Q51] an agent is never told words that were replaced before it had them', async () => {
  const { view } = openTestChat()
  const message = await say(view, 'My password is hunter2')
  await view.revise('work', message.id, 'Nothing to see')
  const session = reached(sessionIn(view))
  expect((await session.messages()).earlier).toMatchObject([{ text: 'Nothing to see' }])
  await view.revise('work', message.id, 'hunter2 again')
  await view.revise('work', message.id, 'Really nothing')
  const told = (await session.messages()).earlier
  expect(told).toMatchObject([{ revises: 'Nothing to see' }])
  await takeBack(view, message)
  expect(JSON.stringify([told, (await session.messages()).earlier])).not.toContain('hunter2')
})

test('[Q51] what came back is not with its agent: the next call brings the newest words alone', async () => {
  const { view } = openTestChat()
  const message = await say(view, 'Old')
  const session = sessionIn(view)
  const delivery = await session.messages()
  await view.revise('work', message.id, 'New')
  delivery.returned()
  const again = await session.messages()
  expect(again.earlier).toMatchObject([{ text: 'New' }])
  again.arrived()
  expect((await session.messages()).earlier).toEqual([])
})

test('[Q51] a hub that starts again knows what an agent has, by its receipts', async () => {
  const log = newLog()
  const { view } = openTestChat({ log })
  const [had, waiting] = [await say(view, 'Had'), await say(view, 'Read')]
  const session = reached(sessionIn(view))
  await session.messages()
  const later = await say(view, 'Later')
  await session.messages()
  await session.messages()
  const { view: next } = openTestChat({ log })
  for (const { id } of [had, later]) await next.revise('work', id, 'New words')
  await next.revise('work', waiting.id, undefined)
  expect((await reached(sessionIn(next)).messages()).earlier.map(({ revises }) => revises)).toEqual([
    'Had',
    'Later',
    'Read',
  ])
})

test('[Q80] a revision that came with its message is no message of its own, wherever an answer was cut off', async () => {
  const log = newLog()
  const { view } = openTestChat({ log })
  const message = await say(view, 'Frist')
  const long = await say(view, 'x'.repeat(700_000))
  await say(view, 'y'.repeat(700_000))
  await view.revise('work', message.id, 'Second try')
  await view.revise('work', message.id, 'First')
  const session = reached(sessionIn(view))
  const next = async (one: AgentSession) => (await one.messages()).earlier.map(({ text }) => text.slice(0, 10))
  expect([await next(session), await next(session)]).toEqual([['First', 'x'.repeat(10)], ['y'.repeat(10)]])
  // The last one is not proven to be read, so that another hub tells it again, and nothing else.
  expect(await next(reached(sessionIn(openTestChat({ log }).view)))).toEqual(['y'.repeat(10)])
  expect(await next(session)).toEqual([])
  await view.revise('work', long.id, 'Short')
  expect((await session.messages()).earlier).toMatchObject([{ revises: expect.stringMatching(/^x+…$/) }])
})

test('[Q52] a revision and a delivery at the same time lose nothing and tell nothing twice', async () => {
  const { view } = openTestChat()
  for (let round = 0; round < 200; round++) {
    const message = await say(view, `Old ${round}`)
    const session = sessionIn(view)
    const isGone = round % 4 < 2
    const both = [
      () => view.revise('work', message.id, isGone ? undefined : 'New'),
      async () => {
        const delivery = await session.messages()
        if (round % 3 === 0) delivery.returned()
        else delivery.arrived()
        return round % 3 === 0 ? [] : delivery.earlier
      },
    ]
    // Each a few turns earlier than the other, so that they meet in every phase.
    const [one, other] = round % 2 ? both : both.toReversed()
    const first = one?.()
    for (let turn = 0; turn < Math.floor(round / 4); turn++) await Promise.resolve()
    const results = await Promise.all([first, other?.()])
    const during = results.flatMap((result) => (Array.isArray(result) ? result : []))
    const after = (await reached(session).messages()).earlier
    const old = { text: `Old ${round}` }
    const change = { revises: `Old ${round}` }
    expect([...during, ...after]).toMatchObject(
      during[0]?.text === old.text ? [old, change] : isGone ? [] : [{ text: 'New' }],
    )
    expect((await reached(session).messages()).earlier).toEqual([])
  }
})

test('[Q80] revisions at the same time follow each other, and the last one counts everywhere', async () => {
  const log = newLog()
  const hubs = [openTestChat({ log }), openTestChat({ log })]
  const [{ view }] = hubs as [(typeof hubs)[number]]
  const message = await say(view, 'Zero')
  const revised = await Promise.all(
    Array.from({ length: 20 }, (_, n) => hubs[n % 2]?.view.revise('work', message.id, `Words ${n}`)),
  )
  const bodies = revised
    .toSorted((a, b) => ((a?.id ?? '') < (b?.id ?? '') ? -1 : 1))
    .map((one) => one?.body as { text: string; was: string; replaces?: string })
  expect(bodies.map(({ was }) => was)).toEqual(['Zero', ...bodies.slice(0, -1).map(({ text }) => text)])
  expect(await texts(view)).toEqual([bodies.at(-1)?.text])
})

test('[Q53] only words of one’s own are revised, and nothing that is more than words', async () => {
  const { chat, view } = openTestChat()
  const [ada, bob] = [person(chat, 'ada'), person(chat, 'bob')]
  const message = await ada.say('work', { text: 'Hello' })
  await expect(takeBack(bob, message)).rejects.toThrow(notRevisable)
  await expect(ada.revise('work', message.id, ' ')).rejects.toThrow('must not be empty')
  await expect(ada.revise('other', message.id, 'x')).rejects.toThrow('Unknown conversation "other"')
  await bob.say('other', { text: 'Hello' })
  await expect(ada.revise('other', message.id, 'x')).rejects.toThrow(`Unknown message "${message.id}"`)
  await expect(ada.revise('work', 'nothing', 'x')).rejects.toThrow('Unknown message "nothing"')
  const told = await view.tell('work', { by: 'kimi', text: 'Hi' })
  await expect(takeBack(view, told)).rejects.toThrow(notRevisable)
  const question = await ask(view, { by: 'kimi', text: 'Deploy?' })
  const answer = await ada.answer(question, 'Yes')
  await expect(takeBack(ada, answer)).rejects.toThrow('Unknown message')
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
  const { id: message } = await said
  expect((await first).body).toEqual({ kind: 'revision', by: 'person', message, text: 'First', was: 'Frist' })
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
  expect((await view.conversation('work')).preview).toBe('Taken back')
})
