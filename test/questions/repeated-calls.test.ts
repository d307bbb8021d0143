import { expect, test } from 'vitest'
import type { Caller } from '../../src/doors/mcp/surface.ts'
import { assistantSurface } from '../../src/doors/mcp/surfaces/assistant-surface.ts'
import { humanSurface } from '../../src/doors/mcp/surfaces/human-surface.ts'
import { loopSurface } from '../../src/doors/mcp/surfaces/loop-surface.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import type { Era } from '../support/agent.ts'
import { newLog, openTestChat, until } from '../support/chat.ts'
import { connectLine } from '../support/lines/line.ts'
import { bodies, openSurfaces, person, ROBOT, SUBSCRIBERS } from '../support/mcp/surfaces.ts'

const QUESTIONS = [{ question: 'Which?', options: ['A', 'B'] }, { question: 'Why?' }]

test.each([
  ['send_message', { text: 'Deploy?' }, ['question']],
  ['ask_user', { question: 'Deploy?' }, ['question']],
  ['ask_user', { questions: QUESTIONS }, ['question', 'question']],
  ['ask_user', { questions: [QUESTIONS[1], QUESTIONS[1]] }, ['question', 'question']],
  ['approve', { tool_name: 'Bash', input: { command: 'ls' } }, ['question']],
  ['approve', { tool_name: 'AskUserQuestion', input: { questions: QUESTIONS.slice(1) } }, ['question']],
  ['send_progress', { text: 'Half way' }, ['progress']],
  ['set_title', { title: 'Login' }, ['title']],
])('[M34] %s %j, repeated at the next hub with its key, is the same call', async (name, input, kinds) => {
  const log = newLog()
  const answers: unknown[] = []
  let count = 0
  for (const waitedMs of [0, 1000]) {
    const { chat, view } = openTestChat({ log })
    person(view, async ({ id, body }) => {
      if (!(await view.conversation('work')).open.some((question) => question.id === id)) return
      await (body.approval ? view.allow(id, undefined) : view.answer(id, `reply ${++count}`))
    })
    const client = await connectLine(chat, { repeatOf: () => ({ key: 'k-1', waitedMs }) })
    answers.push(await client.callTool({ name, arguments: input }))
    // Not only because it never arrived.
    await until(async () => (await view.conversation('work')).replies.recent.every(({ delivered }) => delivered))
  }
  expect(answers[1]).toEqual(answers[0])
  const { view } = openTestChat({ log })
  expect((await bodies(view)).map(({ kind }) => kind).filter((kind) => kind === kinds[0])).toEqual(kinds)
})

test('[M34] an approval with other arguments is another, also with the key of the call before', async () => {
  const { chat, view } = openTestChat()
  person(view, ({ id }) => view.allow(id, undefined))
  const client = await connectLine(chat, { repeatOf: () => ({ key: 'k-1' }) })
  for (const command of ['ls', 'ls', 'rm'])
    await client.callTool({ name: 'approve', arguments: { tool_name: 'Bash', input: { command } } })
  expect((await bodies(view)).filter(({ kind }) => kind === 'question')).toHaveLength(2)
})

test.each([
  ['chat_human_post', humanSurface, { mime: 'text/plain', content: 'Hello' }],
  ['chat_assistant_post', assistantSurface, { mime: 'text/plain', content: 'Hello' }],
  ['chat_assistant_event', assistantSurface, { type: 'progress', text: 'Half way' }],
  ['yield_turn', loopSurface, {}],
])('[M34] %s, repeated with the key of its line, posts once', async (name, surface, input) => {
  const { chat, view } = openTestChat()
  const principal = { ...localPrincipal(surface === humanSurface ? 'human' : 'agent'), conversation: 'work' }
  const chatParts = { viewOf: chat.as, subscribers: SUBSCRIBERS }
  const answers = []
  for (const key of ['k-1', 'k-1', 'k-2']) {
    const client = await connectLine(chat, { principal, surface: () => surface(chatParts), repeatOf: () => ({ key }) })
    answers.push((await client.callTool({ name, arguments: input })).structuredContent)
  }
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).not.toEqual(answers[0])
  expect(await bodies(view)).toHaveLength(2)
})

test.each<Era>(['legacy', 'modern'])(
  '[M37] what is known of a call comes from its client and its line (%s)',
  async (era) => {
    const { chat } = openTestChat()
    const callers: Caller[] = []
    const repeats = [{ key: 'k-1', waitedMs: 1200 }, undefined, { key: 'k-2' }, { key: 'x'.repeat(200) }, undefined]
    let current = 0
    const client = await connectLine(chat, {
      era,
      repeatOf: () => repeats[current],
      called: (caller) => callers.push(caller),
    })
    const metas = [
      {},
      {},
      { 'claudecode/toolUseId': 'toolu_1' },
      { threadId: 'thread-1' },
      { threadId: 'x'.repeat(201) },
    ]
    for (const [n, _meta] of metas.entries()) {
      current = n
      await client.callTool({ name: 'check_messages', arguments: {}, _meta })
    }
    expect(callers.map(({ callKey, waitedMs, run }) => ({ callKey, waitedMs, run }))).toEqual([
      { callKey: 'line:k-1', waitedMs: 1200, run: undefined },
      { callKey: undefined, waitedMs: 0, run: undefined },
      { callKey: expect.stringMatching(/^call:toolu_1:[\w-]{22}$/), waitedMs: 0, run: undefined },
      { callKey: expect.stringMatching(/^line:[0-9a-f]{64}$/), waitedMs: 0, run: 'thread-1' },
      { callKey: undefined, waitedMs: 0, run: undefined },
    ])
  },
)

test.each<Era>(['legacy', 'modern'])(
  '[M39] over HTTP a run of Codex goes on in its own conversation, in whatever session it comes (%s)',
  async (era) => {
    const { view, connect } = openSurfaces()
    for (const threadId of ['one', 'two', 'one', undefined])
      await (await connect('/mcp/agent', ROBOT, era)).callTool({
        name: 'send_progress',
        arguments: { text: 'Half way' },
        _meta: { threadId },
      })
    const conversations = await view.conversations({ limit: 10 })
    expect(conversations.map(({ title }) => title)).toEqual(Array(3).fill('test-client'))
  },
)
