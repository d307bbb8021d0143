import { beforeEach, expect, test } from 'vitest'
import { ask, forever, nextQuestion, openTestChat, reached } from '../../../test/support/chat.ts'
import type { Chat } from '../chat.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'
import { createBudget } from './budget.ts'

let chat: Chat
let view: View

beforeEach(() => {
  ;({ chat, view } = openTestChat())
})

function agent(id: string): View {
  return chat.as({ id, name: id, role: 'agent' })
}

function sessionOf(view: View, name?: string): AgentSession {
  const session = view.agentSession({ conversation: 'work', title: 'Work' })
  if (name) session.speaksAs(name)
  return reached(session)
}

/** A reply that nobody waits for. */
async function leaveReply(asker: View, by: string, text: string) {
  await view.answer(await ask(asker, { by, text: `${text.slice(0, 20)}?` }), text)
}

/** The result of a call whose caller has gone. */
async function leaveResult(asker: string, text: string, by: { visit?: string } = {}) {
  const { mountedCalls: calls } = chat
  const call = { by: 'agent', tool_name: 'git_push', server: 'git', tool: 'push', call_id: 'call' }
  const approval = { tool_name: 'git_push', input: '{}', server: 'git', tool: 'push', call_id: 'call' }
  const question = await calls.ask('work', { kind: 'question', by: 'agent', asker, ...by, text: 'May I?', approval })
  await view.allow(question, undefined)
  await calls.begin('work', { ...call, asker, tool_args: '{}' }, {})
  await calls.end('work', { ...call, result: 'A secret', success: true })
  await calls.tell('call', text)
}

async function fetchAll(session: AgentSession): Promise<string[]> {
  const fetched: string[] = []
  for (;;) {
    const { earlier } = await session.messages()
    if (earlier.length === 0) return fetched
    fetched.push(...earlier.map(({ text }) => text))
  }
}

const NUMBERS = Array.from({ length: 50 }, (_, n) => n)

test.each([
  ['principals', () => [agent('one'), agent('two')], [undefined, undefined]],
  ['names without a token', () => [agent('local:agent'), agent('local:agent')], ['one', 'two']],
] as const)(
  '[S50] of late replies to two %s in one conversation each gets its own, all of them and once',
  async (_, askers, names) => {
    const [one, two] = askers() as [View, View]
    for (const n of NUMBERS) {
      await leaveReply(one, 'one', `one ${n}`)
      if (n % 3 === 0) await leaveReply(two, 'two', `two ${n}`)
    }
    const [first, second] = [sessionOf(one, names[0]), sessionOf(two, names[1])]
    expect(await fetchAll(second)).toEqual(NUMBERS.filter((n) => n % 3 === 0).map((n) => `two ${n}`))
    await leaveReply(two, 'two', 'another')
    expect(await fetchAll(second)).toEqual(['another'])
    expect(await fetchAll(first)).toEqual(NUMBERS.map((n) => `one ${n}`))
    for (const session of [first, second, sessionOf(two, names[1])]) expect(await fetchAll(session)).toEqual([])
    expect((await view.conversation('work')).replies).toEqual({ recent: [] })
  },
)

test('[S50] what comes back of many late replies comes again, whoever else has some among them', async () => {
  const [one, two] = [agent('one'), agent('two')]
  for (const n of NUMBERS) await leaveReply(n % 2 ? one : two, n % 2 ? 'one' : 'two', `${n}`)
  const session = one.agentSession({ conversation: 'work', title: 'Work' })
  const first = await session.messages()
  expect(first.earlier.length).toBeGreaterThan(0)
  first.returned()
  expect(await fetchAll(reached(session))).toEqual(NUMBERS.filter((n) => n % 2).map((n) => `${n}`))
})

test('[S50] what became of a call is told to whoever made it, and whoever reads past that has not read it', async () => {
  const [one, two] = [sessionOf(agent('one')), sessionOf(agent('two'))]
  const { mountedCalls: calls } = chat
  await leaveResult('one', 'It was pushed')
  await view.say('work', { text: 'Go on' })
  expect(await fetchAll(two)).toEqual(['Go on'])
  expect(calls.stateOf('call')).toMatchObject({ phase: 'told' })
  expect(await calls.untold('work', { asker: 'two', agent: 'agent' })).toEqual([])
  expect(await calls.untold('work', { asker: 'one', agent: 'agent' })).toMatchObject([{ text: 'It was pushed' }])
  await view.say('work', { text: 'And on' })
  expect(await fetchAll(one)).toEqual(['It was pushed', 'And on'])
  expect([calls.stateOf('call'), await fetchAll(one), await fetchAll(two)]).toEqual([undefined, [], []])
})

test('[S50] what became of a call is still told to whoever made it when another agent has read just up to it', async () => {
  const [one, two] = [sessionOf(agent('one')), sessionOf(agent('two'))]
  await view.say('work', { text: 'Go on' })
  await leaveResult('one', 'It was pushed')
  expect(await fetchAll(two)).toEqual(['Go on'])
  expect(await fetchAll(one)).toEqual(['It was pushed'])
})

test('[C21] the call of an agent that is about to end is answered at once, and the reply is for the next one', async () => {
  const session = sessionOf(agent('one'))
  const call = session.ask([{ by: 'one', text: 'Deploy?' }], forever)
  const question = await nextQuestion(view)
  session.dismiss()
  await expect(call).rejects.toMatchObject({ code: 'come_back', details: { question } })
  await view.answer(question, 'Yes')
  expect(await fetchAll(session)).toEqual(['Yes'])
})

test('[Q27] of late replies that are too long for one answer, each call brings the next', async () => {
  const [one, two, three] = ['1', '2', '3'].map((digit) => digit.repeat(400_000)) as [string, string, string]
  for (const text of [one, two, three]) await leaveReply(view, 'agent', text)
  const session = sessionOf(view)
  const brought = async () => (await session.messages()).earlier.map(({ text }) => text)
  expect([await brought(), await brought(), await brought()]).toEqual([[one, two], [three], []])
})

test('[Q27] one answer holds at most 1,000 of them and 1 MiB, and one that is longer by itself', () => {
  const many = createBudget()
  for (let n = 0; n < 1000; n++) expect(many.takes('')).toBe(true)
  expect(many.takes('')).toBe(false)
  const long = createBudget()
  expect([1024 * 1024 - 1, 1, 1].map((length) => long.takes('x'.repeat(length)))).toEqual([true, true, false])
  const longer = createBudget()
  expect([2 * 1024 * 1024, 0].map((length) => longer.takes('x'.repeat(length)))).toEqual([true, false])
})

test('[Q27] what a person says meanwhile waits for the older replies that are on their way, which may come back', async () => {
  const one = agent('one')
  for (const n of NUMBERS) await leaveReply(one, 'one', `one ${n}`)
  const session = one.agentSession({ conversation: 'work', title: 'Work' })
  const first = await session.messages()
  expect(first.deliveredIds).toHaveProperty('replies_to')
  await view.say('work', { text: 'Hello' })
  const meanwhile = (await session.messages()).earlier.map(({ text }) => text)
  first.returned()
  expect(meanwhile).not.toContain('Hello')
  expect([...(await fetchAll(reached(session))), ...meanwhile].sort()).toEqual(
    [...NUMBERS.map((n) => `one ${n}`), 'Hello'].sort(),
  )
})

test('[S50] the result of a call that was passed over while two could be its caller is told once only one can', async () => {
  await leaveResult(view.principal.id, 'It is done', { visit: 'gone' })
  const [second, third] = ['second', 'third'].map((visit) => {
    const session = view.agentSession({ conversation: 'work', title: 'Work', visit })
    session.speaksAs('agent')
    return session
  }) as [AgentSession, AgentSession]
  await view.say('work', { text: 'Go on' })
  expect(await fetchAll(reached(second))).toEqual(['Go on'])
  third.close()
  expect(await fetchAll(reached(second))).toEqual(['It is done'])
})
