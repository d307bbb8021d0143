import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { NewToken } from '../../src/doors/http/access/tokens.ts'
import { SOAK } from '../log/contract/place.ts'
import { eventually } from '../support/eventually.ts'
import { clientOfLine } from '../support/folder-socket.ts'
import { startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { upgrade } from '../support/upgrade.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
/** What a token of an administrator may be replaced by. */
const NEW: Omit<NewToken, 'name'>[] = [{}, { role: 'human' }, { role: 'agent' }, { conversation: 'work' }]

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}

/** A session of the 2025 era, by hand: what becomes of its id is the question. */
async function openSession(url: string, token: string) {
  const opening = await send(token, INITIALIZE)
  const id = opening.headers.get('mcp-session-id') ?? ''
  await opening.text()
  const stream = await fetch(`${url}/mcp/chat`, { headers: { ...HEADERS, ...bearer(token), 'mcp-session-id': id } })
  return { call, stream }

  function call(token: string): Promise<Response> {
    return send(token, { method: 'tools/list' }, { 'mcp-session-id': id })
  }

  function send(token: string, message: object, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
    return fetch(`${url}/mcp/chat`, { method: 'POST', body, headers: { ...HEADERS, ...headers, ...bearer(token) } })
  }
}

/** Without `PARLEY_SOAK` those of sessions and of WebSockets by turns. */
const byTurns = (turn: number) => NEW.filter((_, place) => SOAK > 1 || place % 2 === turn)

test.each(byTurns(0))('[S45] a new token, as %j, ends the MCP sessions of the one before', async (wanted) => {
  const { url, tokens } = await startHub()
  const { secret: old } = await tokens.create({ name: 'boss', role: 'admin' })
  const { call, stream } = await openSession(url, old)
  expect((await call(old)).status).toBe(200)
  const { secret } = await tokens.create({ name: 'boss', ...wanted })
  expect((await call(old)).status).toBe(401)
  const again = await call(secret)
  expect([again.status, await again.text()]).toEqual([404, expect.stringContaining('initialize a new one')])
  await expect(stream.text()).rejects.toThrow()
  expect((await (await openSession(url, secret)).call(secret)).status).toBe(200)
})

test('[S45] a session that nobody can use any more is given up at once', async () => {
  const { url, tokens, agents } = await startHub()
  const { secret } = await tokens.create({ name: 'codex', role: 'agent' })
  const headers = { ...HEADERS, ...bearer(secret) }
  const post = (message: object, more = {}) =>
    fetch(`${url}/mcp?session=work`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      headers: { ...headers, ...more },
    })
  const opening = await post(INITIALIZE)
  const session = { 'mcp-session-id': opening.headers.get('mcp-session-id') ?? '' }
  await opening.text()
  const asking = post({ method: 'tools/call', params: { name: 'send_message', arguments: { text: 'Now?' } } }, session)
  await eventually(() => expect(agents()).toEqual(['work']))
  await tokens.create({ name: 'codex' })
  await eventually(() => expect(agents()).toEqual([]))
  await asking.then((response) => response.text()).catch(() => {})
})

test.each(byTurns(1))(
  '[S45] a new token, as %j, ends the WebSockets of the one before and of its cookies',
  async (wanted) => {
    const { url, tokens } = await startHub()
    const { secret } = await tokens.create({ name: 'boss', role: 'admin' })
    const { cookie, pageKey } = await tokens.trade(await tokens.link('boss'))
    const byCookie = { cookie: `parley=${cookie}`, 'x-parley-key': pageKey }
    const sockets = [await upgrade(url, '/ws', bearer(secret)), await upgrade(url, '/ws', byCookie)]
    const ended = sockets.map(({ ws }) => once(ws, 'close'))
    await tokens.create({ name: 'boss', ...wanted })
    for (const shown of [bearer(secret), byCookie])
      expect(await upgrade(url, '/ws', shown)).toMatchObject({ status: 401 })
    await Promise.all(ended)
  },
)

test.each(NEW)('[S45] a new token, as %j, ends the lines of the one before', async (wanted) => {
  const data = await temporaryFolder()
  const { tokens, view } = await startHubWithSocket(data)
  const { secret } = await tokens.create({ name: 'boss', role: 'admin' })
  const { client, told, closed } = await clientOfLine(data, 'human', { PARLEY_TOKEN: secret })
  const post = (content: string) =>
    client.callTool({ name: 'chat_human_post', arguments: { mime: 'text/plain', content, session_id: 'work' } })
  expect((await post('before')).isError).toBeFalsy()
  await tokens.create({ name: 'boss', ...wanted })
  await expect(post('after')).rejects.toThrow()
  await closed
  expect(told.at(-1)).toBe('Unknown token; it may have been replaced')
  expect(JSON.stringify(await view.page('work', { limit: 9 }))).not.toContain('after')
})

test('[S45] a line that says nothing ends with its token, too', async () => {
  const data = await temporaryFolder()
  const { tokens } = await startHubWithSocket(data)
  const { secret } = await tokens.create({ name: 'codex', role: 'agent' })
  const { closed } = await clientOfLine(data, 'agent', { PARLEY_TOKEN: secret })
  await tokens.revoke('codex')
  await closed
})
