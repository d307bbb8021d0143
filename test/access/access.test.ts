import { once } from 'node:events'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { ask, until } from '../support/chat.ts'
import { startHub } from '../support/hub.ts'
import { connect } from '../support/socket.ts'
import { upgrade } from '../support/upgrade.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

async function agent(url: string, token: string, path = '/mcp') {
  const client = new Client({ name: 'codex', version: '1' })
  const requestInit = { headers: bearer(token) }
  await client.connect(new StreamableHTTPClientTransport(new URL(url + path), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

test('[S15] without tokens everyone on this machine is whom the place expects, whatever they bring', async () => {
  const { url, view } = await startHub()
  const { status, ws } = await upgrade(url, '/ws?dialect=timeline', bearer('parley_whatever'))
  expect(status).toBe(101)
  ws.send('{"type":"hello"}')
  ws.send('{"type":"post","key":"k","conversation":"work","text":"Hi"}')
  await until(async () => (await view.last()) !== '0000000000000000')
  expect((await view.page('work', { limit: 1 })).entries[0]?.body).toMatchObject({ by: 'person' })
})

test('[S7] where there is a token, everything but the page, its health and signing in needs one', async () => {
  const { url, tokens } = await startHub()
  const { secret } = await tokens.create({ name: 'ada' })
  for (const path of ['/', '/healthz']) expect((await fetch(url + path)).status).toBe(200)
  const closed: [string, RequestInit?][] = [
    ['/mcp', { method: 'POST', body: '{}' }],
    ['/mcp/human', { method: 'POST', body: '{}' }],
    ['/api/mcp/call', { method: 'POST', body: 'nonsense' }],
    ['/ws'],
    ['/nowhere'],
  ]
  for (const [path, init] of closed) {
    const response = await fetch(url + path, init)
    expect([path, response.status, response.headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer'])
    expect(await response.text()).toContain('This hub requires a token')
  }
  expect((await fetch(`${url}/nowhere`, { headers: bearer(secret) })).status).toBe(404)
  expect(await upgrade(url, '/ws')).toMatchObject({ status: 401 })
  expect(await upgrade(url, `/ws?token=${secret}`)).toMatchObject({ status: 401 })
  expect(await upgrade(url, '/ws', { authorization: `Basic ${secret}` })).toMatchObject({ status: 401 })
  expect(await upgrade(url, '/ws', bearer(`${secret}x`))).toMatchObject({
    status: 401,
    error: 'Unknown token; it may have been replaced',
  })
  expect(await upgrade(url, '/ws', bearer(secret))).toMatchObject({ status: 101 })
})

test('[S9] what is open ends when its principal is revoked, or when the first token closes the hub', async () => {
  const { url, tokens } = await startHub()
  const local = await connect(url)
  const { secret } = await tokens.create({ name: 'ada' })
  await local.closed
  const { ws } = await upgrade(url, '/ws', bearer(secret))
  const gone = once(ws, 'close')
  await tokens.revoke('ada')
  expect(await upgrade(url, '/ws', bearer(secret))).toMatchObject({
    status: 401,
    error: 'The token of ada was revoked',
  })
  await gone
})

test('[S10] an agent cannot open /ws or answer, and a person cannot ask', async () => {
  const { url, tokens, view } = await startHub()
  const codex = (await tokens.create({ name: 'codex', role: 'agent' })).secret
  const ada = (await tokens.create({ name: 'ada' })).secret
  const boss = (await tokens.create({ name: 'boss', role: 'admin' })).secret
  const error = 'This is for human or admin, and codex is agent'
  expect(await upgrade(url, '/ws', bearer(codex))).toMatchObject({ status: 403, error })
  expect(await upgrade(url, '/ws', bearer(boss))).toMatchObject({ status: 101 })
  const human = await agent(url, codex, '/mcp/human')
  const post = { name: 'chat_human_post', arguments: { mime: 'text/plain', content: 'Yes' } }
  expect(JSON.stringify(await human.callTool(post).catch(String))).toContain(error)
  const asking = await agent(url, ada)
  const ask = { name: 'send_message', arguments: { text: 'Deploy now?' } }
  expect(JSON.stringify(await asking.callTool(ask).catch(String))).toContain('and ada is human')
  expect(await view.current()).toEqual([])
})

test('[S10] a person answers under their own name', async () => {
  const { url, tokens, view } = await startHub()
  const codex = (await tokens.create({ name: 'codex', role: 'agent' })).secret
  const person = await upgrade(url, '/ws', bearer((await tokens.create({ name: 'ada' })).secret))
  const asking = await agent(url, codex)
  const reply = asking.callTool({ name: 'send_message', arguments: { text: 'Deploy now?' } })
  const { ack_id: id } = await person.next('agentMessage')
  person.say({ type: 'ack', id, message: 'Yes' })
  expect((await reply).structuredContent).toEqual({ reply: 'Yes' })
  expect((await view.page(undefined, { limit: 100 })).entries.map(({ body }) => body)).toContainEqual(
    expect.objectContaining({ kind: 'settlement', question: id, by: 'ada' }),
  )
})

test('[S13] a bridge client of a bound principal sees and answers its conversation only', async () => {
  const { url, tokens, view } = await startHub()
  const ada = bearer((await tokens.create({ name: 'ada', conversation: 'mine' })).secret)
  const mine = await ask(view, { by: 'agent', text: 'old and mine' }, 'mine')
  const other = await ask(view, { by: 'agent', text: 'old and not mine' }, 'other')
  expect(await upgrade(url, '/ws?session=other', ada)).toMatchObject({
    status: 404,
    error: 'Unknown conversation "other"',
  })
  const client = await upgrade(url, '/ws', ada)
  expect((await client.next('connected')).history).toMatchObject([{ text: 'old and mine' }])
  client.say({ type: 'ack', id: other, message: 'Yes' })
  expect(await client.next('error')).toMatchObject({ error: expect.stringContaining('Unknown question') })
  await ask(view, { by: 'agent', text: 'new and not mine' }, 'other')
  await ask(view, { by: 'agent', text: 'new and mine' }, 'mine')
  expect(await client.next('agentMessage')).toMatchObject({ text: 'new and mine' })
  const again = await upgrade(url, '/ws?session=mine', ada)
  again.say({ type: 'ack', id: mine, message: 'Yes' })
  expect((await view.agentService().outcome(mine, new AbortController().signal)).body).toMatchObject({
    reply: 'Yes',
    by: 'ada',
  })
  expect((await view.conversation('other')).open).toHaveLength(2)
})

test('[S13] a page of a bound principal sees and touches its conversation only', async () => {
  const { url, tokens, view } = await startHub()
  const ada = bearer((await tokens.create({ name: 'ada', conversation: 'mine' })).secret)
  const say = (conversation: string, text: string) => view.say(conversation, { text })
  const cursor = (await say('mine', 'one')).id
  await say('other', 'two')
  const question = await ask(view, { by: 'agent', text: 'Deploy now?' }, 'other')
  const sessions = ['mine', 'other'].map((conversation) => view.agentSession({ conversation, title: conversation }))
  const page = await upgrade(url, '/ws?dialect=timeline', ada)
  page.say({ type: 'hello', conversation: 'other' })
  const welcome = await page.next('welcome')
  expect(welcome).toMatchObject({
    conversations: [{ id: 'mine' }],
    has_more: false,
    agents: { mine: { state: 'idle' } },
  })
  expect(Object.keys(welcome.agents as object)).toEqual(['mine'])
  expect(await page.next('page')).toMatchObject({ conversation: { id: 'mine' } })
  const refused: [object, string][] = [
    [{ type: 'read', conversation: 'other' }, 'unknown_conversation'],
    [{ type: 'post', conversation: 'other', text: 'x' }, 'unknown_conversation'],
    [{ type: 'rename', conversation: 'other', title: 'x' }, 'unknown_conversation'],
    [{ type: 'answer', question, text: 'x' }, 'unknown_question'],
  ]
  for (const [command, code] of refused) {
    page.say({ ...command, key: 'k' })
    expect(await page.next('refused')).toMatchObject({ key: 'k', code })
  }
  page.say({ type: 'list', key: 'k' })
  expect((await page.next('listed')).conversations).toMatchObject([{ id: 'mine' }])
  for (const session of sessions.reverse()) session.close()
  expect(await page.next('agent')).toMatchObject({ conversation: 'mine', state: 'gone' })
  await say('other', 'three')
  page.say({ type: 'post', key: 'k', conversation: 'mine', text: 'four' })
  expect(await page.next('entries')).toMatchObject({ entries: [{ conversation: 'mine', body: { text: 'four' } }] })
  const resumed = await upgrade(url, '/ws?dialect=timeline', ada)
  resumed.say({ type: 'hello', cursor })
  expect(await resumed.next('welcome')).toMatchObject({ resumed: true })
  expect(await resumed.next('entries')).toMatchObject({ entries: [{ body: { text: 'four', by: 'ada' } }] })
  expect((await view.conversation('other')).open).toHaveLength(1)
})
