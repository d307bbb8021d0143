import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canBeOthers, hubOfOwner, OWNER, runAs, STRANGER } from '../support/faults/other-user.ts'

const POST = JSON.stringify({
  server: 'human',
  tool: 'chat_human_post',
  arguments: { session_id: 'work', mime: 'text/plain', content: 'Yes, all of it' },
})
const REFUSED = (uid: number) =>
  `Without tokens this hub lets in only programs of its own user and of root, and this one is of user ${uid}; make tokens with parley token create NAME --role human, and they decide, also behind a proxy`

/** Asks for each of these, over connections of its own, and prints what came back. */
const ASK = `
const http = require('node:http')
const [port, token, wanted] = process.argv.slice(1)
const ask = ([host, method, path, body, headers]) => new Promise((resolve) => {
  const authorization = token ? { authorization: 'Bearer ' + token } : {}
  const request = http.request({ agent: false, host, port, method, path, headers: { host: 'localhost:' + port, ...authorization, ...headers } })
  request.on('response', async (response) => resolve([response.statusCode, (await response.toArray()).join('')]))
  request.on('upgrade', (response, socket) => resolve([response.statusCode, ''], socket.destroy()))
  request.on('error', (error) => resolve([0, error.code]))
  request.end(body)
})
Promise.all(JSON.parse(wanted).map(ask)).then((answers) => console.log(JSON.stringify(answers)))
`

/** Says what it wants to and is gone before it could be asked who it is. */
const HIT_AND_RUN = `
const net = require('node:net')
const [port, body] = process.argv.slice(1)
const text = 'POST /api/mcp/call HTTP/1.1\\r\\nhost: localhost:' + port + '\\r\\ncontent-length: ' + body.length + '\\r\\n\\r\\n' + body
let left = 300
const next = () => {
  if (left-- <= 0) return
  const socket = net.connect(port, left % 2 ? '127.0.0.1' : '::1', () => socket.write(text, () => (left % 3 ? socket.destroy() : socket.resetAndDestroy())))
  socket.on('error', () => {}).on('close', next)
}
for (let n = 0; n < 10; n++) next()
`

/** Two requests over one connection: one at once, one when it is told to. */
const TWICE = `
const http = require('node:http')
const [port, token, body] = process.argv.slice(1)
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
const ask = (headers) => new Promise((resolve) => {
  const request = http.request({ agent, port, host: '127.0.0.1', method: 'POST', path: '/api/mcp/call', headers: { host: 'localhost:' + port, ...headers } })
  request.on('response', async (response) => resolve([response.statusCode, request.reusedSocket, (await response.toArray()).length]))
  request.end(body)
})
ask({ authorization: 'Bearer ' + token }).then(([status, reused]) => console.log('first', status, reused))
process.stdin.once('data', () => ask({}).then(([status, reused]) => { console.log('second', status, reused); process.exit() }))
`

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
/** The last one by a socket of IPv6. */
const WANTED = ['127.0.0.1', '::1', '::ffff:127.0.0.1'].flatMap((host) => [
  [host, 'GET', '/', undefined, {}],
  [host, 'GET', '/healthz', undefined, {}],
  [host, 'GET', '/metrics', undefined, {}],
  [host, 'POST', '/api/mcp/call', POST, {}],
  [host, 'GET', '/ws', undefined, UPGRADE],
])

async function askAs(uid: number, url: string, wanted = WANTED, token = ''): Promise<[status: number, text: string][]> {
  const { told, stderr } = await runAs(uid, ['-e', ASK, new URL(url).port, token, JSON.stringify(wanted)]).ended
  expect(stderr).toBe('')
  return JSON.parse(told)
}

async function inbox(url: string): Promise<string> {
  const body = JSON.stringify({ server: 'human', tool: 'chat_read_since', arguments: {} })
  return (await fetch(`${url}/api/mcp/call`, { method: 'POST', body })).text()
}

test.runIf(canBeOthers)(
  '[S35] without tokens only its own user and root come in, by whatever address and door',
  async () => {
    const { url } = await hubOfOwner()
    const strange = await askAs(STRANGER, url)
    expect(strange).toEqual(WANTED.map(() => [403, JSON.stringify({ error: REFUSED(STRANGER) })]))
    expect((await inbox(url)).includes('all of it')).toBe(false)
    for (const uid of [OWNER, 0]) {
      const statuses = (await askAs(uid, url)).map(([status]) => status)
      expect(statuses).toEqual(WANTED.map(([, , path]) => (path === '/ws' ? 101 : 200)))
    }
    expect(await inbox(url)).toContain('all of it')
  },
)

test.runIf(canBeOthers)('[S36] who is gone before it was known who they are is not heard', async () => {
  const { url } = await hubOfOwner()
  await runAs(STRANGER, ['-e', HIT_AND_RUN, new URL(url).port, POST]).ended
  // Whoever comes later is looked at later.
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await inbox(url)).includes('all of it')).toBe(false)
})

test.runIf(canBeOthers)(
  '[S37] where there are tokens they decide, for every user, and no longer than they are there',
  async () => {
    const { data, url, parley } = await hubOfOwner()
    const secret = await parley('token', 'create', 'ada', '--role', 'human')
    const post = WANTED.filter(([, method]) => method === 'POST')
    expect((await askAs(STRANGER, url, post)).map(([status]) => status)).toEqual([401, 401, 401])
    expect((await askAs(STRANGER, url, post, secret)).map(([status]) => status)).toEqual([200, 200, 200])
    const [stranger, owner] = [STRANGER, OWNER].map((uid) => runAs(uid, ['-e', TWICE, new URL(url).port, secret, POST]))
    for (const patient of [stranger, owner]) await patient?.said(/first 200/)
    await rm(join(data, 'tokens.json'))
    for (const patient of [stranger, owner]) patient?.go()
    expect(await stranger?.said(/second .*/)).toBe('second 403 true')
    expect(await owner?.said(/second .*/)).toBe('second 200 true')
  },
)
