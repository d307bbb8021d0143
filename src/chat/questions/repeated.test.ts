import { expect, test } from 'vitest'
import {
  forever,
  newLog,
  nextQuestion,
  openSettledChat,
  openTestChat,
  reached,
  until,
} from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import type { Log } from '../../log/views.ts'
import type { AgentSession } from '../delivery/agent-session.ts'
import type { View } from '../view.ts'
import { RETURNS_MS } from './abandoned.ts'

const agent = { by: 'agent' }

/** The next hub of the same log, and the agent's session there. */
function nextHub(log: Log) {
  const { view } = openSettledChat({ log })
  return { view, session: view.agentSession({ conversation: 'work', title: 'Work' }) }
}

async function bodiesOf(view: View, kind: string) {
  return (await view.page('work', { limit: 100 })).entries.map(({ body }) => body).filter((body) => body.kind === kind)
}

test.each(['settled', 'delivered', 'read'])(
  '[M34] a question that is asked again by its key, after its reply was %s, has the same outcome',
  async (how) => {
    const log = newLog()
    const { view, session } = nextHub(log)
    const deploy = { ...agent, key: 'call', text: 'Deploy?' }
    const call = session.ask([deploy], forever)
    await view.answer(await nextQuestion(view), 'Yes')
    const delivery = await call
    if (how !== 'settled') {
      delivery.arrived()
      await until(async () => (await view.conversation('work')).replies.recent[0]?.delivered ?? false)
    }
    if (how === 'read') {
      await session.messages()
      await until(async () => (await view.conversation('work')).replies.recent.length === 0)
    }
    const next = nextHub(log)
    expect(await next.session.ask([deploy], forever)).toMatchObject({ settlements: [{ reply: 'Yes' }], earlier: [] })
    expect(await bodiesOf(next.view, 'question')).toHaveLength(1)
    expect(await bodiesOf(next.view, 'settlement')).toHaveLength(1)
  },
)

test('[M34] a question that is asked again by its key is that one, whatever else is open in the same words', async () => {
  const log = newLog()
  const { view, session: first } = nextHub(log)
  const session = reached(first)
  const call = session.ask([{ ...agent, key: 'one', text: 'What next?' }], forever)
  await view.answer(await nextQuestion(view), 'Tests')
  await call
  const later = session.ask([{ ...agent, key: 'two', text: 'What next?' }], forever)
  await nextQuestion(view)
  const next = nextHub(log)
  const again = await next.session.ask([{ ...agent, key: 'one', text: 'What next?' }], forever)
  expect(again.settlements).toMatchObject([{ reply: 'Tests' }])
  await view.answer(await nextQuestion(view), 'Docs')
  expect((await later).settlements).toMatchObject([{ reply: 'Docs' }])
})

test('[M34] of several questions of one call, each has its own outcome when the call is repeated', async () => {
  const log = newLog()
  const { view, session } = nextHub(log)
  const both = ['call:0', 'call:1'].map((key) => ({ ...agent, key, text: 'A number?' }))
  void session.ask(both, forever).catch(() => {})
  await until(async () => (await view.conversation('work')).open.length === 2)
  const [one, two] = (await view.conversation('work')).open.map(({ id }) => id)
  await view.answer(one ?? '', '1')
  const brought = await session.resume([one ?? ''], forever)
  brought.arrived()
  await until(async () => (await view.conversation('work')).replies.recent[0]?.delivered ?? false)
  const again = nextHub(log).session.ask(both, forever)
  await view.answer(two ?? '', '2')
  expect((await again).settlements).toMatchObject([{ reply: '1' }, { reply: '2' }])
  expect(await bodiesOf(view, 'question')).toHaveLength(2)
})

test('[M34] a call that a stop ended is told to stop when it is repeated', async () => {
  const log = newLog()
  const { view, session } = nextHub(log)
  const questions = ['one', 'two'].map((key) => ({ ...agent, key, text: `Question ${key}` }))
  const calls = questions.map((question) => session.ask([question], forever))
  await until(async () => (await view.conversation('work')).open.length === 2)
  await view.interrupt('work', 'Tests first')
  const [brought] = await Promise.all(calls)
  brought?.arrived()
  const next = nextHub(log)
  for (const question of questions)
    expect(await next.session.ask([question], forever)).toMatchObject({ interrupted: 'Tests first' })
})

test('[M34] what is told again by its key is told once', async () => {
  const log = newLog()
  const { session } = nextHub(log)
  const tell = () => session.tell({ kind: 'progress', by: 'agent', text: 'Half way' }, 'call')
  await tell()
  const next = nextHub(log)
  await next.view.say('work', { text: 'Good' })
  const again = await next.session.tell({ kind: 'progress', by: 'agent', text: 'Half way' }, 'call')
  expect(again.earlier).toMatchObject([{ text: 'Good' }])
  expect(await bodiesOf(next.view, 'progress')).toHaveLength(1)
})

test('[M35] a reply that is there when its call is repeated comes with that call, and with no other', async () => {
  const log = newLog()
  const { view, session } = nextHub(log)
  const questions = ['one', 'two', 'three'].map((key) => ({ ...agent, key, text: `Question ${key}` }))
  for (const question of questions) void session.ask([question], forever)
  await until(async () => (await view.conversation('work')).open.length === 3)
  for (const { id, text } of (await view.conversation('work')).open) await view.answer(id, `re: ${text}`)
  const next = nextHub(log)
  const calls = questions.map((question) => next.session.ask([question], forever))
  const deliveries = await Promise.all([...calls, next.session.messages()])
  expect(deliveries.map(({ settlements }) => settlements[0]?.reply)).toEqual([
    ...questions.map(({ text }) => `re: ${text}`),
    undefined,
  ])
  expect(deliveries.flatMap(({ earlier }) => earlier)).toEqual([])
})

/** Asks for a verdict over a connection that can be cut off, or cancels. */
function approving(session: AgentSession, key: string) {
  const ended = new AbortController()
  let isCut = false
  const wait = { signal: ended.signal, alone: true, isCutOff: () => isCut }
  const call = session.ask([{ ...agent, key, text: 'Allow?', approval: { tool_name: 'Bash', input: '{}' } }], wait)
  return { call, cutOff: () => end(true), cancel: () => end(false) }

  async function end(how: boolean) {
    isCut = how
    ended.abort(new Error('ended'))
    await expect(call).rejects.toThrow('ended')
  }
}

const openIn = async (view: View) => (await view.conversation('work')).open.map(({ id }) => id)

test('[M36] what only one call can use stays open when it is cut off, and its agent gets it when it calls again', async () => {
  const { view, session } = nextHub(newLog())
  const first = approving(session, 'one')
  const question = await nextQuestion(view)
  await first.cutOff()
  expect(await openIn(view)).toEqual([question])
  const again = approving(session, 'one')
  session.isBack()
  await view.allow(question, undefined)
  expect((await again.call).settlements).toMatchObject([{ outcome: 'approved' }])
})

test('[M36] what was left open is withdrawn when the agent is back without it, or cancels it', async () => {
  const { view, session } = nextHub(newLog())
  const cut = approving(session, 'one')
  await nextQuestion(view)
  await cut.cutOff()
  session.isBack()
  await until(async () => (await openIn(view)).length === 0)
  const cancelled = approving(session, 'two')
  await nextQuestion(view)
  await cancelled.cancel()
  await until(async () => (await openIn(view)).length === 0)
  const settled = await bodiesOf(view, 'settlement')
  expect(settled).toMatchObject([{ outcome: 'withdrawn', gone: true }, { outcome: 'withdrawn' }])
  expect(settled[1]).not.toHaveProperty('gone')
})

test.each([
  ['gone', 0],
  ['returns', 1],
] as const)('[M36] what is left by an agent that is %s stays open %i times', async (how, count) => {
  const { view, session } = nextHub(newLog())
  const [early, late] = [approving(session, 'early'), approving(session, 'late')]
  await until(async () => (await openIn(view)).length === 2)
  await early.cutOff()
  session.close(how)
  // A call may end a little later than its connection.
  await late.cutOff()
  await until(async () => (await openIn(view)).length === 2 * count)
})

test('[A80] an agent that comes back later than its approval was kept for it asks anew, and is not denied', async () => {
  const log = newLog()
  const { view, session } = nextHub(log)
  const lost = approving(session, 'one')
  const before = await nextQuestion(view)
  await lost.cutOff()
  session.close()
  await until(async () => (await openIn(view)).length === 0)
  const again = approving(nextHub(log).session, 'one')
  const question = await nextQuestion(view)
  expect(question).not.toBe(before)
  await view.allow(question, undefined)
  expect((await again.call).settlements).toMatchObject([{ outcome: 'approved' }])
})

test('[A81] a hub withdraws approvals of the one before it whose calls are not made again in time, and no others', async () => {
  const log = newLog()
  const { view: before } = openTestChat({ log })
  const approval = { tool_name: 'Bash', input: '{}' }
  const asked = [
    { ...agent, key: 'back', text: 'Allow?', approval },
    { ...agent, key: 'lost', text: 'Allow?', approval },
    { ...agent, key: 'call', text: 'Use it?', approval: { ...approval, tool_name: 'x_y', server: 'x', call_id: 'c' } },
    { ...agent, key: 'question', text: 'Why?' },
  ]
  for (const one of asked) await before.agentService({ visit: 'line' }).ask('work', [one], { title: 'Work' })
  const clock = fakeClock()
  const { chat, view } = openTestChat({ log, clock })
  await chat.withdrawAbandoned().known
  const again = approving(view.agentSession({ conversation: 'work', title: 'Work' }), 'back')
  await until(async () => view.agentState('work') === 'waiting')
  clock.advance(RETURNS_MS - 1)
  expect(await openIn(view)).toHaveLength(4)
  clock.advance(1)
  await until(async () => (await openIn(view)).length === 3)
  const texts = (await view.conversation('work')).open.map(({ text, approval }) => approval?.tool_name ?? text)
  expect(texts.sort()).toEqual(['Bash', 'Why?', 'x_y'])
  await view.allow((await openIn(view))[0] ?? '', undefined)
  expect((await again.call).settlements).toMatchObject([{ outcome: 'approved' }])
})
