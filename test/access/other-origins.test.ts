import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { HubConfig } from '../../src/hub/hub.ts'
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts'
import { agentOverStdio } from '../support/agent.ts'
import { openTestHub, temporaryFolder } from '../support/hub.ts'
import { connect } from '../support/socket.ts'
import { upgrade } from '../support/upgrade.ts'

const ORIGIN = 'http://localhost:5173'
const MOUNTS = ['/mcp', '/mcp/agent', '/mcp/human', '/mcp/assistant', '/mcp/loop', '/mcp/ui']
const POST = '/api/tools/ui_chat_human_post'
const HELLO = { mime: 'text/plain', content: 'Hello' }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'page', version: '1' } },
}

async function hubFor(origins: string[], more: Partial<HubConfig> = {}) {
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data: 'memory', origins, ...more })
  onTestFinished(hub.close)
  return hub
}

function post(url: string, body: unknown, headers: Record<string, string> = { origin: ORIGIN }) {
  const accept = 'application/json, text/event-stream'
  const all = { 'content-type': 'application/json', accept, ...headers }
  return fetch(url, { method: 'POST', headers: all, body: JSON.stringify(body) })
}

function preflight(url: string, headers: Record<string, string> = {}) {
  const asked = { origin: ORIGIN, 'access-control-request-method': 'POST', ...headers }
  return fetch(url, { method: 'OPTIONS', headers: asked })
}

/** What a browser looks at before a page may see an answer. */
function seenOf({ status, headers }: Response) {
  return [status, headers.get('access-control-allow-origin'), headers.get('vary')]
}

test('[S25] a page of an allowed origin uses /ws, REST and every MCP mount, and nothing else', async () => {
  const { url } = await hubFor([ORIGIN])
  for (const path of MOUNTS) expect(seenOf(await post(url + path, INITIALIZE))).toEqual([200, ORIGIN, 'Origin'])
  const rest = { server: 'human', tool: 'chat_human_post', arguments: HELLO }
  expect(seenOf(await post(`${url}/api/mcp/call`, rest))).toEqual([200, ORIGIN, 'Origin'])
  expect(seenOf(await post(url + POST, HELLO))).toEqual([200, ORIGIN, 'Origin'])
  expect(await upgrade(url, '/ws', { origin: ORIGIN })).toMatchObject({ status: 101 })
  const elsewhere = ['/', '/metrics', '/healthz', '/readyz', '/attachments/1/a.png', '/api/export/chat', '/sign-in/1']
  for (const path of elsewhere)
    expect(seenOf(await fetch(url + path, { headers: { origin: ORIGIN } }))).toEqual([403, null, null])
  for (const path of ['/sign-out', '/sign-in/1', '/api/attachments'])
    expect(seenOf(await post(url + path, {}))).toEqual([403, null, null])
})

test('[S25] without the setting every other origin is refused as ever', async () => {
  const { url } = await hubFor([])
  for (const path of [...MOUNTS, POST]) {
    expect(seenOf(await post(url + path, INITIALIZE))).toEqual([403, null, null])
    expect(seenOf(await preflight(url + path))).toEqual([403, null, null])
  }
  expect(await upgrade(url, '/ws', { origin: ORIGIN })).toMatchObject({
    status: 403,
    error: `Pages of "${ORIGIN}" may not talk to Parley`,
  })
})

test('[S26] every refusal can be read by the page, with the headers that clients need', async () => {
  const limits = { ...DEFAULT_LIMITS, rate: 2, connections: 1, messageBytes: 1024 }
  const { url, tokens } = await hubFor([ORIGIN], { limits })
  const { secret } = await tokens.create({ name: 'ada' })
  const headers = { origin: ORIGIN, authorization: `Bearer ${secret}` }
  const refusals: [status: number, Promise<Response>][] = [
    [401, post(url + POST, HELLO)],
    [401, post(`${url}/mcp/human`, INITIALIZE)],
    [403, post(`${url}/api/tools/ui_chat_assistant_post`, HELLO, headers)],
    [404, post(`${url}/api/tools/ui_dance`, {}, headers)],
    [404, post(`${url}/mcp/nowhere`, {}, headers)],
    [413, post(url + POST, { ...HELLO, content: 'x'.repeat(100_000) }, headers)],
  ]
  for (const [status, answer] of refusals) expect(seenOf(await answer)).toEqual([status, ORIGIN, 'Origin'])
  const many = await Promise.all(Array.from({ length: 50 }, () => post(url + POST, HELLO, headers)))
  const fast = many.find(({ status }) => status === 429)
  expect(fast && seenOf(fast)).toEqual([429, ORIGIN, 'Origin'])
  const exposed = 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after'
  expect(fast?.headers.get('access-control-expose-headers')).toBe(exposed)
  const boss = (await tokens.create({ name: 'boss', role: 'admin' })).secret
  await connect(url, '/ws', ['loop', `parley-token.${boss}`])
  const full = await post(`${url}/mcp/human`, INITIALIZE, { origin: ORIGIN, authorization: `Bearer ${boss}` })
  expect(seenOf(full)).toEqual([503, ORIGIN, 'Origin'])
  expect(full.headers.get('access-control-allow-credentials')).toBeNull()
})

test('[S26] others can read nothing, and no cache mixes up what depends on the origin', async () => {
  const { url } = await hubFor([ORIGIN])
  expect(seenOf(await post(url + POST, HELLO, {}))).toEqual([200, null, 'Origin'])
  expect(seenOf(await post(url + POST, HELLO, { origin: url }))).toEqual([200, null, 'Origin'])
  for (const origin of ['http://evil.example', 'null', 'http://localhost:5174'])
    expect(seenOf(await post(url + POST, HELLO, { origin }))).toEqual([403, null, 'Origin'])
  expect(seenOf(await fetch(url))).toEqual([200, null, 'Accept-Encoding'])
})

test('[S27] a preflight is answered without a token and whatever the limits are', async () => {
  const { url } = await hubFor([ORIGIN], { tokens: 'ada:human:s3cret', limits: { ...DEFAULT_LIMITS, rate: 1 } })
  const names = 'authorization, content-type, mcp-method, mcp-param-x'
  for (const path of [...MOUNTS, POST, '/api/mcp/call'])
    for (let n = 0; n < 10; n++) {
      const answer = await preflight(url + path, { 'access-control-request-headers': names })
      expect([answer.status, await answer.text()]).toEqual([204, ''])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'GET, POST, DELETE',
        'access-control-allow-headers': names,
        'access-control-max-age': '600',
        vary: 'Origin',
      })
    }
  const odd = await preflight(url + POST, { 'access-control-request-headers': 'x y,,a:b, x-fine ,"q"' })
  expect(odd.headers.get('access-control-allow-headers')).toBe('x-fine')
})

test('[S27] a preflight of another origin, or for what is the page’s own, is refused', async () => {
  const { url } = await hubFor([ORIGIN])
  expect(seenOf(await preflight(url + POST, { origin: 'http://evil.example' }))).toEqual([403, null, 'Origin'])
  expect(seenOf(await preflight(`${url}/api/attachments`))).toEqual([403, null, null])
  expect((await fetch(url + POST, { method: 'OPTIONS', headers: { origin: ORIGIN } })).status).toBe(404)
})

test('[S28] where there are tokens a page of another origin needs one, and a cookie is none', async () => {
  const { url, tokens } = await hubFor([ORIGIN])
  const { secret } = await tokens.create({ name: 'ada' })
  const signedIn = await tokens.trade(await tokens.link('ada'))
  const shown = { cookie: `parley=${signedIn.cookie}`, 'x-parley-key': signedIn.pageKey }
  const own = { origin: url, ...shown }
  expect((await post(url + POST, HELLO, own)).status).toBe(200)
  expect(await upgrade(url, '/ws', own)).toMatchObject({ status: 101 })
  const other = { origin: ORIGIN, ...shown }
  for (const path of [POST, '/mcp/human', '/mcp/nowhere'])
    expect((await post(url + path, HELLO, other)).status).toBe(401)
  expect(await upgrade(url, '/ws', other)).toMatchObject({
    status: 401,
    error: 'This hub requires a token',
  })
  expect((await post(url + POST, HELLO, { ...other, authorization: `Bearer ${secret}` })).status).toBe(200)
})

test('[S28] what a page opened by its token ends with that token, and not before', async () => {
  const { url, tokens } = await hubFor([ORIGIN])
  const openAs = async (name: string) => {
    const { secret } = await tokens.create({ name })
    const opened = await upgrade(url, '/ws', { origin: ORIGIN }, ['router', `parley-token.${secret}`])
    return { ...opened, gone: once(opened.ws, 'close') }
  }
  const [ada, bob] = [await openAs('ada'), await openAs('bob')]
  await tokens.revoke('bob')
  await bob.gone
  ada.say({ type: 'dance' })
  await ada.next('error')
  await tokens.revoke('ada')
  await ada.gone
})

test('[C59] a hub is started with its origins, and a later line that wants others is told', async () => {
  const PARLEY_DATA = await temporaryFolder()
  const lineFor = (...args: string[]) => agentOverStdio({ args: ['stdio', ...args], env: { PARLEY_DATA } })
  const first = await lineFor('--allow-origin', ORIGIN, '--allow-origin', 'https://app.example')
  const url = await first.url
  expect((await post(url + POST, HELLO)).status).toBe(200)
  const same = await lineFor('--allow-origin', `https://app.example:443/,${ORIGIN}`)
  const other = await lineFor('--allow-origin', 'http://localhost:3000')
  await other.said(/The hub was started with another --allow-origin; end it with parley stop to have yours/)
  await same.url
  expect(same.stderr()).not.toContain('--allow-origin')
  expect((await post(url + POST, HELLO, { origin: 'http://localhost:3000' })).status).toBe(403)
})

const FROM_ELSEWHERE = ['/healthz', '/metrics', '/attachments/1/a.png', '/api/export/chat', '/nothing', '/mcp']

test.each(['cross-site', 'same-site'])(
  '[S131] a %s image, frame or link is told nothing of what there is',
  async (site) => {
    const { url } = await hubFor([ORIGIN])
    for (const dest of ['image', 'iframe', 'document'])
      for (const path of FROM_ELSEWHERE) {
        const answer = await fetch(url + path, { headers: { 'sec-fetch-site': site, 'sec-fetch-dest': dest } })
        expect([path, answer.status, await answer.json()]).toEqual([
          path,
          403,
          { error: 'Pages of "another site" may not talk to Parley' },
        ])
        expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
      }
  },
)

test('[S131] a link elsewhere leads to the page and to signing in, and the page itself is served as ever', async () => {
  const { url } = await hubFor([])
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  expect((await fetch(`${url}/`, { headers: link })).status).toBe(200)
  for (const path of ['/sign-in/none', '/oauth/callback?state=none'])
    expect((await fetch(url + path, { headers: link })).status).not.toBe(403)
  for (const site of ['same-origin', 'none']) {
    const answer = await fetch(`${url}/healthz`, { headers: { 'sec-fetch-site': site } })
    expect([answer.status, answer.headers.get('cross-origin-resource-policy')]).toEqual([200, 'same-origin'])
  }
})
