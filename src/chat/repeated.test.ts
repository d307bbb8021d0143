import { expect, test } from 'vitest'
import { forever, newLog, nextQuestion, openTestChat, reached, until } from '../../test/support/chat.ts'
import type { Log } from '../log/views.ts'
import type { View } from './view.ts'

const agent = { by: 'agent' }

/** The next hub of the same log, and the agent's seat there. */
function nextHub(log: Log) {
  const { view } = openTestChat({ log })
  return { view, seat: view.seat({ conversation: 'work', title: 'Work' }) }
}

async function bodiesOf(view: View, kind: string) {
  return (await view.page('work', { limit: 100 })).entries.map(({ body }) => body).filter((body) => body.kind === kind)
}

test.each(['settled', 'delivered', 'read'])(
  '[M34] a question that is asked again by its key, after its reply was %s, has the same outcome',
  async (how) => {
    const log = newLog()
    const { view, seat } = nextHub(log)
    const deploy = { ...agent, key: 'call', text: 'Deploy?' }
    const call = seat.ask([deploy], forever)
    await view.answer(await nextQuestion(view), 'Yes')
    const parcel = await call
    if (how !== 'settled') {
      parcel.arrived()
      await until(async () => (await view.conversation('work')).replies.recent[0]?.delivered ?? false)
    }
    if (how === 'read') {
      await seat.messages()
      await until(async () => (await view.conversation('work')).replies.recent.length === 0)
    }
    const next = nextHub(log)
    expect(await next.seat.ask([deploy], forever)).toMatchObject({ settlements: [{ reply: 'Yes' }], earlier: [] })
    expect(await bodiesOf(next.view, 'question')).toHaveLength(1)
    expect(await bodiesOf(next.view, 'settlement')).toHaveLength(1)
  },
)

test('[M34] a question that is asked again by its key is that one, whatever else is open in the same words', async () => {
  const log = newLog()
  const { view, seat: first } = nextHub(log)
  const seat = reached(first)
  const call = seat.ask([{ ...agent, key: 'one', text: 'What next?' }], forever)
  await view.answer(await nextQuestion(view), 'Tests')
  await call
  const later = seat.ask([{ ...agent, key: 'two', text: 'What next?' }], forever)
  await nextQuestion(view)
  const next = nextHub(log)
  const again = await next.seat.ask([{ ...agent, key: 'one', text: 'What next?' }], forever)
  expect(again.settlements).toMatchObject([{ reply: 'Tests' }])
  await view.answer(await nextQuestion(view), 'Docs')
  expect((await later).settlements).toMatchObject([{ reply: 'Docs' }])
})

test('[M34] of several questions of one call, each has its own outcome when the call is repeated', async () => {
  const log = newLog()
  const { view, seat } = nextHub(log)
  const both = ['call:0', 'call:1'].map((key) => ({ ...agent, key, text: 'A number?' }))
  void seat.ask(both, forever).catch(() => {})
  await until(async () => (await view.conversation('work')).open.length === 2)
  const [one, two] = (await view.conversation('work')).open.map(({ id }) => id)
  await view.answer(one ?? '', '1')
  const brought = await seat.resume([one ?? ''], forever)
  brought.arrived()
  await until(async () => (await view.conversation('work')).replies.recent[0]?.delivered ?? false)
  const again = nextHub(log).seat.ask(both, forever)
  await view.answer(two ?? '', '2')
  expect((await again).settlements).toMatchObject([{ reply: '1' }, { reply: '2' }])
  expect(await bodiesOf(view, 'question')).toHaveLength(2)
})

test('[M34] a call that a stop ended is told to stop when it is repeated', async () => {
  const log = newLog()
  const { view, seat } = nextHub(log)
  const questions = ['one', 'two'].map((key) => ({ ...agent, key, text: `Question ${key}` }))
  const calls = questions.map((question) => seat.ask([question], forever))
  await until(async () => (await view.conversation('work')).open.length === 2)
  await view.interrupt('work', 'Tests first')
  const [brought] = await Promise.all(calls)
  brought?.arrived()
  const next = nextHub(log)
  for (const question of questions)
    expect(await next.seat.ask([question], forever)).toMatchObject({ interrupted: 'Tests first' })
})

test('[M34] what is told again by its key is told once', async () => {
  const log = newLog()
  const { seat } = nextHub(log)
  const tell = () => seat.tell({ kind: 'progress', by: 'agent', text: 'Half way' }, 'call')
  await tell()
  const next = nextHub(log)
  await next.view.say('work', { text: 'Good' })
  const again = await next.seat.tell({ kind: 'progress', by: 'agent', text: 'Half way' }, 'call')
  expect(again.earlier).toMatchObject([{ text: 'Good' }])
  expect(await bodiesOf(next.view, 'progress')).toHaveLength(1)
})

test('[M35] a reply that is there when its call is repeated comes with that call, and with no other', async () => {
  const log = newLog()
  const { view, seat } = nextHub(log)
  const questions = ['one', 'two', 'three'].map((key) => ({ ...agent, key, text: `Question ${key}` }))
  for (const question of questions) void seat.ask([question], forever)
  await until(async () => (await view.conversation('work')).open.length === 3)
  for (const { id, text } of (await view.conversation('work')).open) await view.answer(id, `re: ${text}`)
  const next = nextHub(log)
  const calls = questions.map((question) => next.seat.ask([question], forever))
  const parcels = await Promise.all([...calls, next.seat.messages()])
  expect(parcels.map(({ settlements }) => settlements[0]?.reply)).toEqual([
    ...questions.map(({ text }) => `re: ${text}`),
    undefined,
  ])
  expect(parcels.flatMap(({ earlier }) => earlier)).toEqual([])
})

test('[M36] what only one call can use stays open for an agent that is expected back with it', async () => {
  const { view } = openTestChat()
  let returns = true
  const seat = view.seat({ conversation: 'work', title: 'Work', returns: () => returns })
  const approval = { tool_name: 'Bash', input: '{}' }
  const ask = (key: string) => {
    const lost = new AbortController()
    const call = seat.ask([{ ...agent, key, text: 'Allow?', approval }], { signal: lost.signal, alone: true })
    return { call, lost }
  }
  const first = ask('one')
  const question = await nextQuestion(view)
  first.lost.abort(new Error('The line is gone'))
  await expect(first.call).rejects.toThrow('The line is gone')
  expect((await view.conversation('work')).open.map(({ id }) => id)).toEqual([question])
  const again = ask('one')
  await view.allow(question, undefined)
  expect((await again.call).settlements).toMatchObject([{ outcome: 'approved' }])

  const second = ask('two')
  await nextQuestion(view)
  second.lost.abort(new Error('The line is gone'))
  await expect(second.call).rejects.toThrow()
  seat.close()
  expect((await view.conversation('work')).open).toHaveLength(1)
  returns = false
  const third = ask('three')
  await until(async () => (await view.conversation('work')).open.length === 2)
  third.lost.abort(new Error('Cancelled'))
  await expect(third.call).rejects.toThrow('Cancelled')
  expect((await view.conversation('work')).open).toHaveLength(1)
})

test('[M36] what was left open for an agent is withdrawn when it is not expected any more', async () => {
  const { view } = openTestChat()
  let returns = true
  const seat = view.seat({ conversation: 'work', title: 'Work', returns: () => returns })
  const lost = new AbortController()
  const approval = { tool_name: 'Bash', input: '{}' }
  const call = seat.ask([{ ...agent, text: 'Allow?', approval }], { signal: lost.signal, alone: true })
  await nextQuestion(view)
  lost.abort(new Error('The line is gone'))
  await expect(call).rejects.toThrow()
  returns = false
  seat.close()
  await until(async () => (await view.conversation('work')).open.length === 0)
  expect(await bodiesOf(view, 'settlement')).toMatchObject([{ outcome: 'withdrawn' }])
})
