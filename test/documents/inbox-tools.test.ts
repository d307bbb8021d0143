import { expect, test } from 'vitest'
import { connectHttp } from '../support/http-client.ts'
import { startHub } from '../support/hub.ts'
import { call, readJson } from '../support/surfaces.ts'

const ID = /^\d{16}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const posted = { id: expect.stringMatching(ID), ts: expect.stringMatching(TIME) }

test('[I29] Tools (Chat Server): all three at one server, with the inputs and outputs of the document', async () => {
  const { url } = await startHub()
  const chat = await connectHttp(`${url}/mcp/chat`)
  const status = { mime: 'text/markdown', content: "What's the deployment status?" }
  const progress = { mime: 'text/markdown', content: 'Deployment in progress. ETA: 2 minutes.' }
  const asked = await call(chat, 'chat.human.post', status)
  const answered = await call(chat, 'chat.assistant.post', progress)
  expect([asked, answered]).toEqual([posted, posted])
  const read = await call(chat, 'chat_read_since', { after_id: '1700000012344', limit: 50 })
  expect(read).toEqual({
    messages: [
      { ...asked, author: 'user', ...status, session_id: 'chat' },
      { ...answered, author: 'assistant', ...progress, session_id: 'chat' },
    ],
    last_id: answered.id,
    has_more: false,
  })
  expect((await readJson(chat, 'ui://chat/inbox')).body).toEqual({ last_id: answered.id, messages: read.messages })
})

test('[I5] chat_read_since: without a limit all that remains, with any limit as many', async () => {
  const { url, view } = await startHub()
  await Promise.all(Array.from({ length: 1500 }, (_, n) => view.say('chat', { text: `${n}` })))
  const chat = await connectHttp(`${url}/mcp/chat`)
  const all = await call(chat, 'chat_read_since', { after_id: '1700000012344' })
  expect([all.messages.length, all.has_more]).toEqual([1500, false])
  expect((await call(chat, 'chat_read_since', { after_id: '', limit: 5_000_000 })).messages).toHaveLength(1500)
  const some = await call(chat, 'chat_read_since', { after_id: null, limit: 50 })
  expect([some.messages.length, some.has_more, some.last_id]).toEqual([50, true, all.messages[49]?.id])
  const rest = await call(chat, 'chat_read_since', { after_id: some.last_id })
  expect(rest).toEqual({ messages: all.messages.slice(50), last_id: all.last_id, has_more: false })
})

test('[I20] Testing the Chat Inbox: the curl line and the fetch of MessageComposer', async () => {
  const { url, view } = await startHub()
  const curl = await fetch(`${url}/api/tools/ui_chat_human_post`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '{"mime": "text/markdown", "content": "Hello!"}',
  })
  expect([curl.status, await curl.json()]).toEqual([200, posted])
  const composer = await fetch(`${url}/api/mcp/call`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      server: 'ui',
      tool: 'chat.human.post',
      arguments: { mime: 'text/markdown', content: 'message' },
    }),
  })
  expect([composer.status, await composer.json()]).toEqual([200, posted])
  const { entries } = await view.page('chat', { limit: 2 })
  expect(entries.map(({ body }) => body)).toMatchObject([
    { author: 'user', text: 'Hello!' },
    { author: 'user', text: 'message' },
  ])
})
