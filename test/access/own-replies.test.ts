import { expect, test } from 'vitest'
import { forever } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { startHub } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { opened } from '../support/policy/policy.ts'

/** A hub with two agents in one conversation, who are not the same. */
async function twoAgents({ tokens }: { tokens: boolean }) {
  const hub = await startHub()
  if (tokens) await hub.tokens.create({ name: 'ada', role: 'human' })
  const agent = async (name: string, token: string | undefined) =>
    connectHttp(`${hub.url}/mcp/agent?session=work`, { era: 'modern', name, token })
  const secret = async (name: string) =>
    tokens ? (await hub.tokens.create({ name, role: 'agent' })).secret : undefined
  // What they call themselves tells them apart only where nothing else does.
  const [one, two] = tokens ? ['codex', 'codex'] : ['claude-code', 'codex']
  return {
    ...hub,
    one: await agent(one as string, await secret('one')),
    two: await agent(two as string, await secret('two')),
  }
}

const WAYS = [
  ['with tokens', { tokens: true }],
  ['without tokens, where they have other names', { tokens: false }],
] as const

test.each(WAYS)('[S50] a reply goes to its asker only, %s', async (_, how) => {
  const { view, one, two } = await twoAgents(how)
  const asked = one.callTool({ name: 'send_message', arguments: { text: 'Which password?' } })
  const [{ id = '' } = {}] = await opened(view)
  for (const [name, input] of [
    ['send_message', { text: '-', question_id: id }],
    ['ask_user', { question_id: id }],
  ] as const) {
    const stolen = await two.callTool({ name, arguments: input })
    expect([stolen.isError, JSON.stringify(stolen.content)]).toEqual([
      true,
      expect.stringContaining('Unknown question'),
    ])
  }
  // Asked in the same words it is another question.
  const other = two.callTool({ name: 'send_message', arguments: { text: 'Which password?' } })
  const [, theirs] = await opened(view, 2)
  await view.answer(id, 'hunter2')
  expect((await asked).structuredContent).toEqual({ reply: 'hunter2' })
  await view.answer(theirs?.id ?? '', 'None for you')
  expect((await other).structuredContent).toEqual({ reply: 'None for you' })
})

test.each(WAYS)('[S50] a reply that came late waits for its asker, %s', async (_, how) => {
  const { view, one, two } = await twoAgents(how)
  const gaveUp = new AbortController()
  const asked = one.callTool(
    { name: 'send_message', arguments: { text: 'Which password?' } },
    { signal: gaveUp.signal },
  )
  const [{ id = '' } = {}] = await opened(view)
  gaveUp.abort()
  await expect(asked).rejects.toThrow()
  // The hub knows that nobody waits any more.
  await eventually(() => expect(view.agentState('work')).not.toBe('waiting'))
  await view.answer(id, 'hunter2')
  const told = await two.callTool({ name: 'check_messages', arguments: {} })
  expect(told.structuredContent).toEqual({ messages: [] })
  const own = await one.callTool({ name: 'check_messages', arguments: {} })
  expect(own.structuredContent).toMatchObject({ messages: [{ text: 'hunter2', in_reply_to: 'Which password?' }] })
})

test('[S50] whoever shows the key of a call that another made gets nothing of it, and asks nothing', async () => {
  const { chat, view } = await twoAgents({ tokens: true })
  const [one, two] = ['one', 'two'].map((id) => {
    const session = chat.as({ id, name: id, role: 'agent' }).agentSession({ conversation: 'work', title: 'Work' })
    return session
  })
  const asking = [{ by: 'codex', key: 'call:toolu_1', text: 'Which password?' }]
  const asked = one?.ask(asking, forever)
  const [{ id = '' } = {}] = await opened(view)
  await expect(
    two?.ask([{ ...asking[0], by: 'codex', text: 'Other words', key: 'call:toolu_1' }], forever),
  ).rejects.toThrow('Unknown question')
  await opened(view)
  await view.answer(id, 'hunter2')
  expect((await asked)?.settlements).toMatchObject([{ reply: 'hunter2' }])
  await expect(two?.ask(asking as never, forever)).rejects.toThrow('Unknown question')
})
