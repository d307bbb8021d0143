import type { Client } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import type { DrivingEvent } from '../../src/protocol/frames/driving.ts'
import { EVENTS } from '../../src/protocol/frames/driving.ts'
import { INBOX } from '../../src/protocol/frames/inbox.ts'
import type { Principal } from '../../src/protocol/principal.ts'
import type { Era } from '../support/agent.ts'
import { ask as question } from '../support/chat.ts'
import { ADA, BOUND, call, openSurfaces, ROBOT, readJson } from '../support/mcp/surfaces.ts'
import { listen, subscribe, updatesOf } from '../support/mcp/updates.ts'

const PATH = '/mcp/orchestrator'
const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const me = { session_id: 'work', holder: 'me' }
const deploy = { ...me, key: 'q1', text: 'Deploy?' }

interface EventsUpdate {
  uri: string
  events: DrivingEvent[]
  _meta?: Record<string, unknown>
}

/** A chat, and a program that drives an agent in it and holds the conversation. */
async function openDriver(era: Era) {
  const surfaces = openSurfaces()
  // Who may not drive changes nothing for those who may.
  await (await surfaces.connect(PATH, ROBOT, era)).listTools()
  await surfaces.view.record('work', { kind: 'title', title: 'Work' })
  const driver = await surfaces.connect(PATH, RUNNER, era)
  await call(driver, 'hold_conversation', me)
  return { ...surfaces, driver, ask, events: eventsOf(driver) }

  async function ask(more: Record<string, unknown> = {}): Promise<string> {
    return (await call(driver, 'ask_person', { ...deploy, ...more })).question_id as string
  }
}

function eventsOf(client: Client): () => Promise<EventsUpdate> {
  const next = updatesOf(client)
  return async () => (await next()) as unknown as EventsUpdate
}

async function readEvents(driver: Client, input: Record<string, unknown> = {}) {
  const page = await call(driver, 'read_events', input)
  return page as unknown as { events: DrivingEvent[]; last_id: string; has_more: boolean }
}

describe.each<Era>(['legacy', 'modern'])('an orchestrator of the %s era', (era) => {
  test('[O1] [O2] holds a conversation, so that no other does, and releases it', async () => {
    const began = Date.now()
    const { driver, connect, view } = await openDriver(era)
    const other = await connect(PATH, { ...RUNNER, id: 'other', name: 'other' }, era)
    await view.changeRunSettings('work', { mode: 'plan', delivery: 'steer' })
    const theirs = { ...me, holder: 'them' }
    const held = await call(other, 'hold_conversation', theirs)
    expect(held).toEqual({
      held: false,
      holder: 'me',
      until: expect.any(String),
      wish: { mode: 'plan', delivery: 'steer' },
    })
    const until = Date.parse(held.until as string)
    expect(until).toBeGreaterThan(began + 29_000)
    expect(until).toBeLessThan(Date.now() + 31_000)
    await expect(call(other, 'release_conversation', theirs)).resolves.toEqual({ released: false })
    await expect(call(driver, 'release_conversation', me)).resolves.toEqual({ released: true })
    await expect(call(other, 'hold_conversation', theirs)).resolves.toMatchObject({ held: true, holder: 'them' })
    await expect(call(driver, 'receive_messages', { ...me, key: 'k', messages: [] })).rejects.toThrow(
      '"work" is held by them',
    )
  })

  test('[O5] [O15] is told what people say, receives it in its newest words, and what changes then is a message', async () => {
    const { driver, events, view, chat } = await openDriver(era)
    const ada = chat.as(ADA)
    await subscribe(driver, INBOX, era)
    const { id } = await ada.say('work', { text: 'Hello' })
    expect(await events()).toMatchObject({ uri: INBOX, messages: [{ id, content: 'Hello' }] })
    await call(driver, 'chat_read_since', {})
    await readJson(driver, INBOX)
    const change = await ada.revise('work', id, 'Hello!')
    expect(await events()).toMatchObject({ uri: INBOX, messages: [{ id: change.id, content: 'Hello!', revises: id }] })
    const wanted = { ...me, key: 'k', messages: [id] }
    const received = { received: [id], revised: [{ id, text: 'Hello!' }] }
    expect(await call(driver, 'receive_messages', wanted)).toEqual(received)
    const gone = await ada.revise('work', id, undefined)
    expect((await view.conversation('work')).messages.read).toBe(id)
    expect(await call(driver, 'receive_messages', wanted)).toEqual(received)
    expect(await call(driver, 'receive_messages', { ...wanted, key: 'k2' })).toEqual({ received: [] })
    const later = { ...me, key: 'k3', messages: [change.id, gone.id] }
    expect(await call(driver, 'receive_messages', later)).toMatchObject({
      received: [gone.id],
      revised: [{ id: gone.id, text: expect.stringContaining('took back'), changes: { message: id } }],
    })
  })

  test('[O10] asks without waiting, and the same key asks once; how it ended comes as an event', async () => {
    const { driver, events, ask, view } = await openDriver(era)
    await subscribe(driver, EVENTS, era)
    const options = [{ label: 'Now' }, { label: 'Later' }]
    const question_id = await ask({ options })
    expect(await ask({ options })).toBe(question_id)
    expect((await view.conversation('work')).open).toMatchObject([{ id: question_id, by: 'test-client', options }])
    const { id } = await view.choose(question_id, ['Later'], 'k', 'After lunch')
    const event = { type: 'settled', id, session_id: 'work', question_id, outcome: 'answered', choices: ['Later'] }
    const update = await events()
    expect(update).toMatchObject({ uri: EVENTS, events: [{ ...event, reply: expect.stringContaining('After lunch') }] })
    expect(update._meta?.['parley/events']).toEqual(update.events)
    expect((await readEvents(driver)).events).toEqual(update.events)
  })

  test('[O10] hears of verdicts: the option that was taken, the reason of a denial, what is always allowed', async () => {
    const { driver, events, ask, view } = await openDriver(era)
    await subscribe(driver, `${EVENTS}/work`, era)
    const approval = { tool_name: 'Bash', input: '{"command":"ls"}' }
    const options = [{ id: 'y', label: 'Yes', kind: 'allow_once' }]
    const first = await ask({ key: 'a1', approval: { ...approval, options } })
    await view.takeOption(first, 'y')
    const approved = { type: 'settled', outcome: 'approved' }
    expect(await events()).toMatchObject({
      uri: `${EVENTS}/work`,
      events: [{ ...approved, question_id: first, option: 'y' }],
    })
    const second = await ask({ key: 'a2', approval })
    await view.deny(second, 'Not here')
    expect((await events()).events).toMatchObject([{ question_id: second, outcome: 'denied', reason: 'Not here' }])
    const third = await ask({ key: 'a3', approval })
    await view.allowAlways(third, '{"command":"ls -l"}')
    expect((await events()).events).toMatchObject([{ ...approved, question_id: third, input: '{"command":"ls -l"}' }])
    const theirs = await question(view, { by: 'agent', text: 'Mine?' })
    await view.answer(theirs, 'Not an event of who drives')
    const fourth = await ask({ key: 'a4', approval })
    expect((await events()).events).toMatchObject([{ ...approved, question_id: fourth }])
  })

  test('[O11] withdraws what it asked and nobody has answered, and nothing of others', async () => {
    const { driver, events, ask, view } = await openDriver(era)
    await subscribe(driver, EVENTS, era)
    const [open, settled] = [await ask(), await ask({ key: 'q2' })]
    await view.answer(settled, 'Yes')
    expect((await events()).events).toMatchObject([{ question_id: settled }])
    const signal = AbortSignal.timeout(60_000)
    void view
      .agentSession({ conversation: 'work', title: 'Work' })
      .ask([{ by: 'a', text: 'Mine?' }], { signal })
      .catch(() => {})
    const own = async () => (await view.conversation('work')).open.map(({ text }) => text)
    await expect.poll(own).toEqual(['Deploy?', 'Mine?'])
    const theirs = (await view.conversation('work')).open[1]?.id
    const withdrawn = await call(driver, 'withdraw_questions', { ...me, question_ids: [open, settled, theirs] })
    expect(withdrawn).toEqual({ withdrawn: [open] })
    expect((await events()).events).toMatchObject([{ question_id: open, outcome: 'withdrawn' }])
    expect(await own()).toEqual(['Mine?'])
    const unknown = '0000000000009999'
    await expect(call(driver, 'withdraw_questions', { ...me, question_ids: [unknown] })).rejects.toThrow(
      `Unknown question "${unknown}"`,
    )
  })

  test('[O12] is told of run settings, of what comes together in one batch, and only of what it follows', async () => {
    const { driver, events, view } = await openDriver(era)
    await view.say('other', { text: 'Elsewhere' }, 'm1')
    await view.say('work', { text: 'Hello' })
    await subscribe(driver, `${EVENTS}/work`, era)
    await Promise.all([
      view.changeRunSettings('other', { mode: 'ask' }),
      view.changeRunSettings('work', { mode: 'plan' }),
      view.changeRunSettings('work', { model: 'small' }),
    ])
    const { uri, events: told } = await events()
    const both = told.length > 1 ? told : [...told, ...(await events()).events]
    expect(uri).toBe(`${EVENTS}/work`)
    expect(both).toEqual([
      { type: 'wish', id: expect.any(String), session_id: 'work', mode: 'plan' },
      { type: 'wish', id: expect.any(String), session_id: 'work', model: 'small' },
    ])
    const newest = (await readJson(driver, EVENTS)).body as unknown as { last_id: string; events: DrivingEvent[] }
    expect(newest.last_id).toBe(await view.last())
    expect(newest.events.map(({ session_id }) => session_id).sort()).toEqual(['other', 'work', 'work'])
  })

  test('[O12] a pinned subscription to events comes back by itself', async () => {
    const { connect, view } = await openDriver(era)
    const pinned = { 'parley/pinned': true }
    const first = await connect(PATH, RUNNER, era)
    if (era === 'legacy') await first.subscribeResource({ uri: EVENTS, _meta: pinned })
    else await listen(first, [EVENTS], pinned)
    await first.close()
    const second = await connect(PATH, RUNNER, era)
    const events = eventsOf(second)
    if (era === 'modern') await second.listen({ resourceSubscriptions: [INBOX] })
    else await second.ping()
    await view.changeRunSettings('work', { mode: 'plan' })
    expect(await events()).toMatchObject({ uri: EVENTS, events: [{ type: 'wish' }] })
  })

  test('[O16] nobody else may drive: neither people nor agents, and nobody beyond its conversation', async () => {
    const { connect, view } = await openDriver(era)
    await view.changeRunSettings('work', { mode: 'plan' })
    const agent = await connect(PATH, ROBOT, era)
    const refusal = 'This is for orchestrator or admin, and robot is agent'
    for (const tool of ['hold_conversation', 'release_conversation', 'read_events'])
      await expect(call(agent, tool, tool === 'read_events' ? {} : me)).rejects.toThrow(refusal)
    await expect(readJson(agent, EVENTS)).rejects.toThrow(refusal)
    await expect(readJson(agent, INBOX)).rejects.toThrow(refusal)
    await expect(subscribe(agent, EVENTS, era)).rejects.toThrow(refusal)
    const bound = await connect(PATH, { ...BOUND, role: 'orchestrator' }, era)
    await expect(call(bound, 'hold_conversation', me)).rejects.toThrow('Unknown conversation "work"')
    await expect(readJson(bound, `${EVENTS}/work`)).rejects.toThrow(/resource/i)
    expect((await readEvents(bound)).events).toEqual([])
    const human = await connect('/mcp/human', ADA, era)
    await expect(readJson(human, EVENTS)).rejects.toThrow(/resource/i)
  })
})

test('[O13] read_events brings everything after the watermark, page by page, each event once', async () => {
  const { driver, view } = await openDriver('modern')
  const settings: string[] = []
  for (let n = 0; n < 25; n++) {
    settings.push((await view.changeRunSettings('work', { mode: `mode ${n}` })).id)
    await view.say('work', { text: `${n}` })
  }
  const read: string[] = []
  let after_id: string | undefined
  for (;;) {
    const { events, last_id, has_more } = await readEvents(driver, { after_id, limit: 10 })
    read.push(...events.map(({ id }) => id))
    after_id = last_id
    if (!has_more) break
  }
  expect(read).toEqual(settings)
  expect(after_id).toBe(await view.last())
  expect(await readEvents(driver, { after_id })).toEqual({ events: [], last_id: after_id, has_more: false })
  expect((await readEvents(driver, { session_id: 'other' })).events).toEqual([])
  await expect(readEvents(driver, { limit: 0 })).rejects.toThrow('"limit" must be a whole number from 1 on')
})

test('[O13] a log that is longer than one answer looks through is read in several, also where it holds no event', async () => {
  const { driver, view } = await openDriver('modern')
  await Promise.all(Array.from({ length: 3000 }, (_, n) => view.say('work', { text: `${n}` })))
  const { id } = await view.changeRunSettings('work', { mode: 'plan' })
  const first = await readEvents(driver)
  expect([first.events, first.has_more]).toEqual([[], true])
  expect(await readEvents(driver, { after_id: first.last_id })).toMatchObject({ events: [{ id }], has_more: false })
})
