import { expect, test } from 'vitest'
import { ask, forever, openTestChat } from '../../test/support/chat.ts'
import { SUBSCRIBERS } from '../../test/support/mcp/surfaces.ts'
import type { Principal, Role } from '../protocol/principal.ts'
import type { View } from './view.ts'

const ID = '0000000000000001'

function principal(role: Role, conversation?: string): Principal {
  return { id: role, name: role, role, conversation }
}

/** Everything that a view can do in a conversation or with a question, as a person or as an agent. */
function deeds(view: View, conversation: string, question: string) {
  const speak = {
    say: () => view.say(conversation, { text: 'Hello' }),
    answer: () => view.answer(question, 'Yes'),
    choose: () => view.choose(question, ['Yes']),
    answerAll: () => view.answerAll([{ question, text: 'Yes' }]),
    allow: () => view.allow(question, undefined),
    allowAlways: () => view.allowAlways(question, undefined),
    deny: () => view.deny(question, 'No'),
    revoke: () => view.revoke(conversation, 'Bash'),
    interrupt: () => view.interrupt(conversation),
    rename: () => view.rename(conversation, 'Mine'),
  }
  const asks = {
    tell: () => view.tell(conversation, { by: 'agent', text: 'Hello' }),
    record: () => view.record(conversation, { kind: 'turn', by: 'agent' }),
    session: async () => view.agentSession({ conversation, title: 'Mine' }).close(),
  }
  return { speak: Object.entries(speak), ask: Object.entries(asks) }
}

async function refusals(all: [string, () => Promise<unknown>][]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(all.map(async ([, act]) => act()))
  return outcomes.map((outcome, n) => [all[n]?.[0], outcome.status === 'rejected' ? outcome.reason.code : 'done'])
}

function each(all: [string, unknown][], code: string) {
  return all.map(([name]) => [name, code])
}

test('[S24] a view does only what its principal may: no agent speaks for a person, no person asks as an agent', async () => {
  const { chat, view } = openTestChat()
  const question = await ask(view, { by: 'agent', text: 'Deploy?' })
  const before = await view.last()
  for (const role of ['agent', 'orchestrator'] as const) {
    const { speak } = deeds(chat.as(principal(role)), 'work', question)
    expect(await refusals(speak)).toEqual(each(speak, 'forbidden_role'))
  }
  const { ask: asks } = deeds(chat.as(principal('human')), 'work', question)
  expect(await refusals(asks)).toEqual(each(asks, 'forbidden_role'))
  expect(() => chat.as(principal('human')).agentService()).toThrow('agent or orchestrator or admin')
  expect(() => chat.as(principal('agent')).asSubscriber('ada', SUBSCRIBERS)).toThrow('admin')
  expect(await view.last()).toBe(before)
})

test('[S24] for a principal that is bound to one conversation there is no other, whatever it does', async () => {
  const { chat, view } = openTestChat()
  const question = await ask(view, { by: 'agent', text: 'Deploy?' }, 'secret')
  await view.say('own', { text: 'Hello' })
  const before = await view.last()
  const bound = chat.as(principal('admin', 'own'))
  const { speak, ask: asks } = deeds(bound, 'secret', question)
  const byQuestion = ['answer', 'choose', 'answerAll', 'allow', 'allowAlways', 'deny']
  expect(await refusals([...speak, ...asks])).toEqual(
    [...speak, ...asks].map(([name]) => [
      name,
      byQuestion.includes(name) ? 'unknown_question' : 'unknown_conversation',
    ]),
  )
  const { agentService } = bound
  const more = { title: 'Mine' }
  const hidden: [string, () => Promise<unknown>][] = [
    ['ask', () => agentService().ask('secret', [{ key: 'key', by: 'agent', text: 'Deploy?' }], more)],
    ['tell', () => agentService().tell('secret', { kind: 'turn', by: 'agent' }, { title: 'Mine', key: 'key' })],
    ['account', async () => agentService().account('secret')],
    ['unread', () => agentService().unread('secret', { replies: [] }, {})],
    ['enter', async () => agentService().enter('secret')],
    ['conversation', () => bound.conversation('secret')],
    ['page', () => bound.page('secret', { limit: 10 })],
    ['inbox', () => bound.inbox.newest('secret')],
    ['since', () => bound.inbox.readSince('secret', ID, 10)],
    ['within', async () => bound.within('secret')],
    ['agentState', async () => bound.agentState('secret')],
  ]
  expect(await refusals(hidden)).toEqual(each(hidden, 'unknown_conversation'))
  const asked: [string, () => Promise<unknown>][] = [
    ['outcome', () => agentService().outcome(question, forever.signal)],
    ['stillOpen', () => agentService().stillOpen([question])],
    ['withdraw', () => agentService().withdraw([question])],
  ]
  expect(await refusals(asked)).toEqual(each(asked, 'unknown_question'))
  expect(await view.last()).toBe(before)
})

test('[S24] what a bound principal reads is as if there were no other conversation', async () => {
  const { chat, view } = openTestChat()
  await view.say('secret', { text: 'Nobody may know' })
  await view.say('own', { text: 'Hello' })
  view.agentSession({ conversation: 'secret', title: 'Secret' })
  const bound = chat.as(principal('human', 'own'))
  expect((await bound.conversations({ limit: 10 })).map(({ id }) => id)).toEqual(['own'])
  expect((await bound.page(undefined, { limit: 10 })).entries.map(({ conversation }) => conversation)).toEqual(['own'])
  expect((await bound.inbox.newest()).messages.map(({ content }) => content)).toEqual(['Hello'])
  expect([await bound.current(), bound.agents()]).toEqual([['own'], []])
})

test('[M96] connections of one principal share a view, and nobody else has it', async () => {
  const { chat } = await openTestChat()
  const ada = principal('human')
  expect(chat.as(ada)).toBe(chat.as(ada))
  expect(chat.as(ada)).not.toBe(chat.as(principal('human', 'one')))
})
