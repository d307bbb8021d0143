import { expect, test } from 'vitest'
import { INBOX } from '../../src/protocol/frames/inbox.ts'
import { agentOverHttp, type Era } from '../support/agent.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { ADA, call, openSurfaces, ROBOT, readJson } from '../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'
import { connect as connectSocket } from '../support/socket.ts'

const DEPLOYMENT = { deploy: { to: 'main', at: [1, 2.5, null], ok: true } }
const CONTENTS: [string, unknown][] = [
  ['application/json', DEPLOYMENT],
  ['application/json', ['a', 1]],
  ['application/json', 42],
  ['application/json', false],
  ['application/json', null],
  ['application/json', '{"a": "text"}'],
  ['application/vnd.ci+json; version=2', DEPLOYMENT],
  ['text/markdown; charset=utf-8', '**CI** is green on main'],
  ['application/x-unknown', 'whatever it is'],
]

async function post(url: string, mime: unknown, content?: unknown) {
  const body = JSON.stringify({ mime, content })
  const response = await fetch(`${url}/api/tools/ui_chat_human_post`, { method: 'POST', body })
  return { status: response.status, ...((await response.json()) as { id?: string; error?: string }) }
}

test.each<Era>(['legacy', 'modern'])(
  '[I23] [I24] content of any type is in the inbox, in chat_read_since and in notifications as it was (%s)',
  async (era) => {
    const { connect } = openSurfaces()
    const [human, robot] = [await connect('/mcp/human', ADA, era), await connect('/mcp/assistant', ROBOT, era)]
    const next = updatesOf(robot)
    await subscribe(robot, INBOX, era)
    for (const [mime, content] of CONTENTS) {
      const { id, ts } = await call(human, 'chat_human_post', { mime, content })
      const message = { id, ts, author: 'user', mime, content, session_id: 'chat' }
      expect((await next()).messages).toEqual([message])
      expect((await call(robot, 'chat_read_since', {})).messages.at(-1)).toEqual(message)
      expect((await readJson(human, INBOX)).body.messages.at(-1)).toEqual(message)
      await call(robot, 'chat_assistant_post', { mime, content })
      const { messages } = await call(robot, 'chat_read_since', { after_id: id })
      expect(messages).toMatchObject([{ author: 'assistant', mime, content }])
    }
  },
)

test('[I23] over REST too, and after the hub has started again', async () => {
  const data = await temporaryFolder()
  const before = await startHub(data)
  for (const [mime, content] of CONTENTS) expect((await post(before.url, mime, content)).status).toBe(200)
  await before.close()
  const { view } = await startHub(data)
  expect((await view.inbox.newest()).messages.map(({ mime, content }) => [mime, content])).toEqual(CONTENTS)
})

test('[I25] what is neither is refused in one sentence, and changes nothing', async () => {
  const { url, view } = await startHub(undefined, { messageBytes: 1000 })
  const bad: [unknown, unknown, string][] = [
    ['text/markdown', DEPLOYMENT, '"content" must be text where "mime" is not a JSON type, as application/json is'],
    ['text/plain', null, '"content" must be text where "mime" is not a JSON type, as application/json is'],
    ['markdown', 'x', '"mime" must be a mime type, such as text/markdown or application/json'],
    [undefined, 'x', '"mime" must be a mime type, such as text/markdown or application/json'],
    ['application/json', undefined, '"content" must be text'],
  ]
  for (const [mime, content, error] of bad) expect(await post(url, mime, content)).toMatchObject({ status: 400, error })
  expect((await post(url, 'application/json', ['x'.repeat(1000)])).error).toContain('limit of 1000 bytes')
  expect((await view.inbox.newest()).messages).toEqual([])
})

test('[I26] who only knows text gets the JSON as text', async () => {
  const { url, view } = await startHub()
  const loop = await connectSocket(url)
  const agent = await agentOverHttp(url, { session: 'chat' })
  await post(url, 'application/json', DEPLOYMENT)
  const text = JSON.stringify(DEPLOYMENT)
  expect((await loop.next('user_message')).message).toBe(text)
  const reply = agent.call({ text: 'Deploy now?' })
  loop.say({ type: 'ack', id: (await loop.next('agentMessage')).ack_id, message: 'Ship it!' })
  expect(await reply).toMatchObject({ reply: 'Ship it!', earlier_messages: [{ text }] })
  expect((await view.search({ query: 'deploy main', limit: 1 })).hits).toMatchObject([{ conversation: 'chat' }])
})
