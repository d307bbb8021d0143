import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assistantSurface } from '../../src/doors/mcp/surfaces/assistant-surface.ts'
import { humanSurface } from '../../src/doors/mcp/surfaces/human-surface.ts'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { readLines } from '../../src/io/lines.ts'
import type { Body } from '../../src/protocol/entries/entry.ts'
import { LINK_FORMAT } from '../../src/protocol/frames/link-format.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { VERSION } from '../../src/protocol/version.ts'
import { ask, openTestChat } from '../support/chat.ts'
import { eventually } from '../support/eventually.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { connectLine } from '../support/lines/line.ts'
import { bodies, openAgent, person, SUBSCRIBERS } from '../support/mcp/surfaces.ts'
import { diaryAt, readDiary } from '../support/upstream/diary-server.ts'
import { untilMount } from '../support/upstream/gateway.ts'

const CALL_0 = { 'claudecode/toolUseId': 'call_0' }

test.each([
  ['send_message', { text: 'May I run the tests?' }, { text: 'May I delete the database?' }],
  ['ask_user', { question: 'May I run the tests?' }, { question: 'May I delete the database?' }],
  ['ask_user', { question: 'May I?', options: ['Yes'] }, { question: 'May I?', options: ['Yes', 'No'] }],
])('[Q90] %s with an id that was used for other words is another question', async (name, first, second) => {
  const { view, agent } = await openAgent()
  let asked = 0
  person(view, ({ id }) => view.answer(id, `Reply ${++asked}`))
  const replies = []
  for (const input of [first, second, first]) {
    const { structuredContent } = await agent.callTool({ name, arguments: input, _meta: CALL_0 })
    replies.push(Object.values(structuredContent ?? {})[0])
  }
  expect(replies).toEqual(['Reply 1', 'Reply 2', 'Reply 1'])
  expect(await kinds(view, 'question')).toHaveLength(2)
})

test('[Q90] what is told with an id that was used before is told, unless it is the same', async () => {
  const { view, agent } = await openAgent()
  const calls: [string, Record<string, unknown>][] = [
    ['send_progress', { text: 'Half way' }],
    ['send_progress', { text: 'Half way' }],
    ['send_progress', { text: 'Done' }],
    ['set_title', { title: 'Done' }],
  ]
  for (const [name, input] of calls) await agent.callTool({ name, arguments: input, _meta: CALL_0 })
  expect(await kinds(view, 'progress')).toMatchObject([{ text: 'Half way' }, { text: 'Done' }])
  expect(await kinds(view, 'title')).toMatchObject([{ title: 'work' }, { title: 'Done' }])
})

test('[Q90] an approval by the id of its call is another with other arguments or of another tool', async () => {
  const { view, agent } = await openAgent()
  person(view, ({ id }) => view.allow(id, undefined))
  for (const [tool_name, command] of [
    ['Bash', 'ls'],
    ['Bash', 'ls'],
    ['Bash', 'rm'],
    ['Zsh', 'ls'],
  ])
    await agent.callTool({ name: 'approve', arguments: { tool_name, input: { command } }, _meta: CALL_0 })
  expect(await kinds(view, 'question')).toHaveLength(3)
})

test.each([
  ['chat_human_post', humanSurface],
  ['chat_assistant_post', assistantSurface],
])('[Q90] %s with the id of a call that posted other words posts', async (name, surface) => {
  const { chat, view } = openTestChat()
  const principal = { ...localPrincipal(surface === humanSurface ? 'human' : 'agent'), conversation: 'work' }
  const client = await connectLine(chat, {
    principal,
    surface: () => surface({ viewOf: chat.as, subscribers: SUBSCRIBERS }),
  })
  for (const content of ['One', 'One', 'Two'])
    await client.callTool({ name, arguments: { mime: 'text/plain', content }, _meta: CALL_0 })
  expect(await bodies(view)).toMatchObject([{ text: 'One' }, { text: 'Two' }])
})

test('[Q90] a repeated call of a mounted tool is not answered with what another did by the same id', async () => {
  const data = await temporaryFolder()
  const diary = join(data, 'diary')
  const server = diaryAt(diary)
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { diary: server } }))
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify({ rules: [{ decision: 'allow' }] }))
  const { gateway } = await startHubWithSocket(data)
  await untilMount(gateway, 'diary', ({ state }) => state === 'ready')
  const { request } = await gatewayLine(data)
  const answers = []
  for (const [n, text] of ['one', 'two', 'two'].entries()) {
    const params = { name: 'diary_write', arguments: { text }, _meta: CALL_0 }
    answers.push(await request('tools/call', params, n > 0 ? 10 : undefined))
  }
  expect(answers).toMatchObject(['one', 'two', 'two'].map((text) => ({ content: [{ text: `Wrote ${text}` }] })))
  expect(readDiary(diary)).toHaveLength(2)
})

test('[G197] a call that is made again at a hub where its server does not answer yet is told what became of it', async () => {
  const data = await temporaryFolder()
  const diary = join(data, 'diary')
  const mount = (server: object) =>
    writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { diary: server } }))
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify({ rules: [{ decision: 'allow' }] }))
  mount(diaryAt(diary))
  const before = await startHubWithSocket(data)
  await untilMount(before.gateway, 'diary', ({ state }) => state === 'ready')
  const params = { name: 'diary_write', arguments: { text: 'one' } }
  const wrote = { content: [{ text: 'Wrote one' }] }
  expect(await (await gatewayLine(data)).request('tools/call', params)).toMatchObject(wrote)
  await before.close()
  mount({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] })
  await startHubWithSocket(data)
  expect(await (await gatewayLine(data)).request('tools/call', params, 10)).toMatchObject(wrote)
  expect(readDiary(diary)).toHaveLength(1)
})

test.each([
  ['chat_human_post', humanSurface, { mime: 'text/plain', content: 'One' }, { mime: 'text/plain', content: 'Two' }],
  [
    'chat_human_post',
    humanSurface,
    { mime: 'application/json', content: { a: 1 } },
    { mime: 'application/json', content: { a: 2 } },
  ],
  [
    'chat_assistant_post',
    assistantSurface,
    { mime: 'text/plain', content: 'One' },
    { mime: 'text/plain', content: 'Two' },
  ],
  ['chat_assistant_event', assistantSurface, { type: 'progress', text: 'One' }, { type: 'progress', text: 'Two' }],
  [
    'chat_assistant_event',
    assistantSurface,
    { type: 'tool_call', tool_name: 'Bash', tool_args: '{"token":"sk-ant-0123456789abcdef0123456789abcdef"}' },
    { type: 'title', title: 'Two' },
  ],
])('[Q91] %s with a key that was used for something else is refused and says so', async (name, surface, one, two) => {
  const { chat, view } = openTestChat()
  const principal = { ...localPrincipal(surface === humanSurface ? 'human' : 'agent'), conversation: 'work' }
  const client = await connectLine(chat, {
    principal,
    surface: () => surface({ viewOf: chat.as, subscribers: SUBSCRIBERS }),
  })
  const post = (input: object) => client.callTool({ name, arguments: { ...input, key: 'k' } })
  const first = await post(one)
  expect(first.isError).toBeFalsy()
  expect((await post(one)).structuredContent).toEqual(first.structuredContent)
  const refused = await post(two)
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('key') }] })
  expect(await bodies(view)).toHaveLength(1)
})

test('[Q91] a command with a key that did something else is refused, whatever it is', async () => {
  const { view } = openTestChat()
  const question = await ask(view, { by: 'agent', text: 'Deploy?' })
  const call = await ask(view, { by: 'agent', text: 'Allow?', approval: { tool_name: 'Bash', input: '{}' } })
  await view.say('work', { text: 'Hello' }, 'k')
  const used = { code: 'key_used' }
  await expect(view.answer(question, 'Yes', 'k')).rejects.toMatchObject(used)
  await expect(view.allow(call, undefined, 'k')).rejects.toMatchObject(used)
  await expect(view.rename('work', 'Other', 'k')).rejects.toMatchObject(used)
  await expect(view.interrupt('work', 'Stop', 'k')).rejects.toMatchObject(used)
  expect((await view.conversation('work')).open).toHaveLength(2)
  await view.allow(call, undefined, 'k-2')
  await view.allow(call, undefined, 'k-2')
  await expect(view.deny(call, 'No', 'k-2')).rejects.toMatchObject(used)
  await expect(view.answer(question, 'Yes', 'k-2')).rejects.toMatchObject(used)
  await view.answer(question, 'Yes', 'k-3')
  await expect(view.answer(question, 'No', 'k-3')).rejects.toMatchObject(used)
  expect(await view.answer(question, 'Yes', 'k-3')).toMatchObject({ body: { reply: 'Yes' } })
})

async function kinds(view: Parameters<typeof bodies>[0], kind: Body['kind']) {
  return (await bodies(view)).filter((body) => body.kind === kind)
}

/** A line at the gateway that says itself which requests are repeated. */
async function gatewayLine(data: string) {
  const socket = (await connectToHub(data)) as Socket
  onTestFinished(() => void socket.destroy())
  const heard: { mcp?: { id?: number; result?: object } }[] = []
  readLines(socket, { limitLength: 2 ** 20, line: (text) => heard.push(JSON.parse(text)), tooLong: expect.unreachable })
  const say = (frame: object) => socket.write(`${JSON.stringify(frame)}\n`)
  const about = { format: LINK_FORMAT, version: VERSION, line: randomUUID(), title: 'work', folder: data, wants: {} }
  say({ hello: { ...about, surface: 'gateway', conversation: 'work' } })
  let id = 0
  const clientInfo = { name: 'codex', version: '1' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  say({ mcp: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  return { request }

  function request(method: string, params: object, waited_ms?: number) {
    const own = ++id
    say({ mcp: { jsonrpc: '2.0', id: own, method, params }, key: `line:${own}`, waited_ms })
    return eventually(() => {
      const answer = heard.find(({ mcp }) => mcp?.id === own)?.mcp
      if (!answer) throw new Error(`Heard only ${JSON.stringify(heard)}`)
      return answer.result
    })
  }
}
