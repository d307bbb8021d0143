import { beforeEach, expect, test } from 'vitest'
import { ask, openTestChat, reached } from '../../../test/support/chat.ts'
import type { Chat } from '../chat.ts'
import type { View } from '../view.ts'
import type { AgentSession } from './agent-session.ts'

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
  await view.answer(await ask(asker, { by, text: `${text}?` }), text)
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

test('[S50] what became of a call is told to whoever made it, and whoever reads past that has not read it', async () => {
  const [one, two] = [sessionOf(agent('one')), sessionOf(agent('two'))]
  const { mountedCalls: calls } = chat
  const call = { by: 'agent', tool_name: 'git_push', server: 'git', tool: 'push', call_id: 'call' }
  const approval = { tool_name: 'git_push', input: '{}', server: 'git', tool: 'push', call_id: 'call' }
  const question = await calls.ask('work', { kind: 'question', by: 'agent', asker: 'one', text: 'May I?', approval })
  await view.allow(question, undefined)
  await calls.begin('work', { ...call, asker: 'one', tool_args: '{}' }, {})
  await calls.end('work', { ...call, result: 'A secret', success: true })
  await calls.tell('call', 'It was pushed')
  await view.say('work', { text: 'Go on' })
  expect(await fetchAll(two)).toEqual(['Go on'])
  expect(calls.stateOf('call')).toMatchObject({ phase: 'told' })
  expect(await calls.untold('work', { asker: 'two', agent: 'agent' })).toEqual([])
  expect(await calls.untold('work', { asker: 'one', agent: 'agent' })).toMatchObject([{ text: 'It was pushed' }])
  await view.say('work', { text: 'And on' })
  expect(await fetchAll(one)).toEqual(['It was pushed', 'And on'])
  expect([calls.stateOf('call'), await fetchAll(one), await fetchAll(two)]).toEqual([undefined, [], []])
})
