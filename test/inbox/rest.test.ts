import { expect, test } from 'vitest'
import { startHub } from '../support/hub.ts'

async function post(url: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('[I20] the documented curl line works as written, without a content type of JSON', async () => {
  const { view, url } = await startHub()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const { status, body } = await post(
    `${url}/api/tools/ui_chat_human_post`,
    '{"mime": "text/markdown", "content": "Hello!"}',
    form,
  )
  expect([status, body]).toMatchObject([200, { id: expect.stringMatching(/^\d{16}$/), ts: expect.any(String) }])
  const { entries } = await view.page('chat', { limit: 1 })
  expect(entries[0]?.body).toMatchObject({ kind: 'message', author: 'user', text: 'Hello!' })
})

test('[I20] the documented call of the composer works as written', async () => {
  const { view, url } = await startHub()
  const call = {
    server: 'ui',
    tool: 'chat.human.post',
    arguments: { mime: 'text/markdown', content: 'From the composer' },
  }
  const { status, body } = await post(`${url}/api/mcp/call`, JSON.stringify(call))
  expect([status, body.error]).toEqual([200, undefined])
  expect((await view.page('chat', { limit: 1 })).entries[0]?.body).toMatchObject({ text: 'From the composer' })
})

test('[I20] every chat tool is found at its own server and at ui', async () => {
  const { url } = await startHub()
  const hello = JSON.stringify({ mime: 'text/plain', content: 'Hi' })
  for (const name of [
    'human_chat_human_post',
    'assistant_chat_assistant_post',
    'ui_chat_assistant_post',
    'ui_send_message',
  ])
    expect((await post(`${url}/api/tools/${name}`, hello)).status).toBe(200)
  for (const name of ['loop_yield_turn', 'ui_end_turn', 'ui_loop.yield_turn'])
    expect((await post(`${url}/api/tools/${name}`, '')).status).toBe(200)
  expect((await post(`${url}/api/tools/ui_chat_read_since`, '{}')).body.messages).toHaveLength(4)
})

test('[I21] errors come as one sentence with the right status', async () => {
  const { url } = await startHub()
  const tool = `${url}/api/tools/ui_chat_human_post`
  const bad: [string, string, number, string][] = [
    [tool, '{"mime":', 400, 'This JSON cannot be read'],
    [tool, '{"mime":"html","content":"x"}', 400, '"mime" must be a mime type'],
    [tool, '[]', 400, ''],
    [tool, 'x'.repeat(9 * 1024 * 1024), 413, 'This is larger than the limit'],
    [`${url}/api/tools/ui_dance`, '{}', 404, 'Unknown tool "ui_dance"'],
    [`${url}/api/tools/dance`, '{}', 404, 'Unknown tool "dance"'],
    [`${url}/api/mcp/call`, '{"server":"moon","tool":"x"}', 404, 'The server "moon" is unknown; known:'],
    [`${url}/api/mcp/call`, '{"server":"__proto__","tool":"x"}', 404, 'The server "__proto__" is unknown'],
    [`${url}/api/mcp/call`, '{"tool":"x"}', 400, '"server" must be text'],
  ]
  for (const [address, body, status, sentence] of bad) {
    const answer = await post(address, body)
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(sentence)])
  }
})
