import { expect, test } from 'vitest'
import type { Role } from '../../src/protocol/principal.ts'
import { startHub } from '../support/hub.ts'
import { connectHttp } from '../support/mcp/http-client.ts'
import { ADA, call, openSurfaces, ROBOT, ROOT } from '../support/mcp/surfaces.ts'

const hello = { mime: 'text/plain', content: 'Hello' }
const contents = ({ messages }: { messages: { content: unknown }[] }) => messages.map(({ content }) => content)

test('[I33] an administrator acts for any subscriber: in its conversation, by its name, as its role may', async () => {
  const { view, connect } = openSurfaces()
  const [human, assistant, loop] = [
    await connect('/mcp/human', ROOT),
    await connect('/mcp/assistant', ROOT),
    await connect('/mcp/loop', ROOT),
  ]
  await call(human, 'chat_human_post', { ...hello, subscriber: 'bound' })
  await call(assistant, 'chat_assistant_post', { ...hello, subscriber: 'robot', session_id: 'work' })
  await call(assistant, 'chat_assistant_event', { type: 'progress', text: 'Half', subscriber: 'robot' })
  await call(loop, 'yield_turn', { subscriber: 'robot' })
  const { entries } = await view.page(undefined, { limit: 10 })
  expect(entries.map(({ conversation, body }) => [conversation, body.kind, 'by' in body && body.by])).toEqual([
    ['private', 'message', 'bound'],
    ['work', 'message', 'robot'],
    ['chat', 'progress', 'robot'],
    ['chat', 'turn', 'robot'],
  ])
  const asRobot = { ...hello, subscriber: 'robot' }
  await expect(call(human, 'chat_human_post', asRobot)).rejects.toThrow(
    'This is for human or admin, and robot is agent',
  )
  const elsewhere = { ...hello, subscriber: 'bound', session_id: 'work' }
  await expect(call(human, 'chat_human_post', elsewhere)).rejects.toThrow('Unknown conversation "work"')
  expect((await view.page(undefined, { limit: 10 })).entries).toHaveLength(4)
})

test('[I33] a watermark that an administrator moves for a subscriber is that of the subscriber', async () => {
  const { view, connect } = openSurfaces()
  await view.say('chat', { text: 'one' })
  const [admin, robot] = [await connect('/mcp/human', ROOT), await connect('/mcp/assistant', ROBOT)]
  expect(contents(await call(admin, 'read_and_advance', { subscriber: 'robot' }))).toEqual(['one'])
  expect(contents(await call(robot, 'read_and_advance', {}))).toEqual([])
  expect(contents(await call(admin, 'read_and_advance', {}))).toEqual(['one'])
})

test('[I33] everybody may name themselves, and nobody else anyone; nothing is done then', async () => {
  const { view, connect } = openSurfaces()
  const ada = await connect('/mcp/human', ADA)
  const robot = await connect('/mcp/assistant', ROBOT)
  await call(ada, 'chat_human_post', { ...hello, subscriber: 'ada' })
  await call(robot, 'chat_assistant_post', { ...hello, subscriber: 'robot' })
  expect((await call(ada, 'chat_read_since', { subscriber: 'ada' })).messages).toHaveLength(2)
  for (const tool of ['chat_read_since', 'read_and_advance', 'chat_human_post'])
    for (const subscriber of ['bound', 'nobody'])
      await expect(call(ada, tool, { ...hello, subscriber })).rejects.toThrow('This is for admin, and ada is human')
  const others: [string, object][] = [
    ['chat_assistant_post', hello],
    ['chat_assistant_event', { type: 'progress', text: 'Half' }],
  ]
  for (const [tool, input] of others)
    await expect(call(robot, tool, { ...input, subscriber: 'ada' })).rejects.toThrow('and robot is agent')
  await expect(call(await connect('/mcp/loop', ROBOT), 'yield_turn', { subscriber: 'ada' })).rejects.toThrow('admin')
  expect((await view.page(undefined, { limit: 10 })).entries).toHaveLength(2)
})

test('[I34] without tokens a caller is the subscriber that it names, and may do what its place allows', async () => {
  const { url, view } = await startHub()
  const [human, assistant] = [await connectHttp(`${url}/mcp/human`), await connectHttp(`${url}/mcp/assistant`)]
  await call(human, 'chat_human_post', { ...hello, subscriber: 'human' })
  await call(assistant, 'chat_assistant_post', { ...hello, subscriber: 'orchestrator' })
  const { entries } = await view.page('chat', { limit: 10 })
  expect(entries.map(({ body }) => 'by' in body && body.by)).toEqual(['human', 'orchestrator'])
  const unread = async (subscriber: string, client = assistant) =>
    (await call(client, 'read_and_advance', { subscriber })).messages.length
  expect([await unread('tablet'), await unread('tablet', human), await unread('phone')]).toEqual([2, 0, 2])
})

test('[I33] [I34] as soon as there is a token, names are those of tokens and not everybody’s', async () => {
  const { url, tokens, view } = await startHub()
  const secretOf = async (name: string, role: Role, conversation?: string) =>
    (await tokens.create({ name, role, conversation })).secret
  const root = await connectHttp(`${url}/mcp/human`, { token: await secretOf('root', 'admin') })
  const ada = await connectHttp(`${url}/mcp/human`, { token: await secretOf('ada', 'human', 'work') })
  await view.say('other', { text: 'elsewhere' })
  await call(root, 'chat_human_post', { ...hello, subscriber: 'ada' })
  expect(contents(await call(root, 'chat_read_since', { subscriber: 'ada' }))).toEqual(['Hello'])
  await expect(call(root, 'chat_read_since', { subscriber: 'tablet' })).rejects.toThrow('Unknown subscriber "tablet"')
  await expect(call(ada, 'chat_read_since', { subscriber: 'root' })).rejects.toThrow('This is for admin')
})
