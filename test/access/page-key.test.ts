import { expect, test } from 'vitest'
import { exportPath } from '../../src/protocol/frames/export.ts'
import { startHub } from '../support/hub.ts'
import { upgrade } from '../support/upgrade.ts'

async function signedInHub() {
  const hub = await startHub()
  for (const name of ['ada', 'bob']) await hub.tokens.create({ name })
  await hub.view.say('work', { text: 'Hello' })
  const signedIn = async (name: string) => hub.tokens.trade(await hub.tokens.link(name))
  const [ada, bob] = [await signedIn('ada'), await signedIn('bob')]
  const cookie = { cookie: `parley=${ada.cookie}` }
  const upload = (headers: Record<string, string>) =>
    fetch(`${hub.url}/api/attachments?name=a.txt`, { method: 'POST', body: 'hello', headers })
  return { ...hub, ada, bob, cookie, upload }
}

const SAY = { mime: 'text/plain', content: 'Hi', session_id: 'work' }
const CALL = JSON.stringify({ server: 'human', tool: 'chat_human_post', arguments: SAY })
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})
const JSON_OR_STREAM = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

test('[S43] every door that the cookie opens asks for the key of the page beside it', async () => {
  const { url, ada, bob, cookie, upload } = await signedInHub()
  const { hash } = (await (await upload({ ...cookie, 'x-parley-key': ada.pageKey })).json()) as { hash: string }
  const doors: [path: string, init: RequestInit][] = [
    ['/api/mcp/call', { method: 'POST', body: CALL }],
    ['/mcp/human', { method: 'POST', body: INITIALIZE, headers: JSON_OR_STREAM }],
    ['/api/attachments?name=a.txt', { method: 'POST', body: 'hello' }],
    [`/attachments/${hash}/a.txt`, {}],
    [exportPath('work', 'md'), {}],
    ['/metrics', {}],
  ]
  const statuses = (headers: Record<string, string>) =>
    Promise.all(
      doors.map(async ([path, init]) => {
        const response = await fetch(url + path, { ...init, headers: { ...init.headers, ...headers } })
        await response.arrayBuffer()
        return response.status
      }),
    )
  expect(await statuses({ ...cookie, 'x-parley-key': ada.pageKey })).toEqual(doors.map(() => 200))
  for (const key of [undefined, '', bob.pageKey, ada.pageKey.slice(-22), ada.cookie])
    expect(await statuses({ ...cookie, ...(key !== undefined && { 'x-parley-key': key }) })).toEqual(
      doors.map(() => 401),
    )
  expect(await statuses({ 'x-parley-key': ada.pageKey })).toEqual(doors.map(() => 401))
})

test('[S43] a WebSocket shows the key among what it offers to speak, and never hears it', async () => {
  const { url, ada, bob, cookie } = await signedInHub()
  const offered = await upgrade(url, '/ws', cookie, ['timeline', `parley-key.${ada.pageKey}`])
  expect([offered.status, offered.ws.protocol]).toEqual([101, 'timeline'])
  expect(await upgrade(url, '/ws', { ...cookie, 'x-parley-key': ada.pageKey })).toMatchObject({ status: 101 })
  expect(await upgrade(url, '/ws', cookie)).toMatchObject({ status: 401, error: expect.stringContaining('signed out') })
  for (const key of ['', bob.pageKey, ada.pageKey.slice(-22)])
    expect(await upgrade(url, '/ws', cookie, ['timeline', `parley-key.${key}`])).toMatchObject({ status: 401 })
  expect(await upgrade(url, `/ws?key=${ada.pageKey.slice(-22)}`, cookie)).toMatchObject({ status: 401 })
  expect(await upgrade(url, '/ws', cookie, [`parley-key.${ada.pageKey}`])).toMatchObject({ status: 400 })
})

test('[S44] the address of a file or an export carries a part of the key, which opens nothing else and needs the cookie', async () => {
  const { url, ada, bob, cookie, upload } = await signedInHub()
  const { hash } = (await (await upload({ ...cookie, 'x-parley-key': ada.pageKey })).json()) as { hash: string }
  const key = `key=${ada.pageKey.slice(-22)}`
  const read = (path: string, headers = cookie) => fetch(url + path, { headers }).then(({ status }) => status)
  const [file, exported] = [`/attachments/${hash}/a.txt?`, `${exportPath('work', 'md')}&`]
  for (const path of [file, exported]) {
    expect(await read(path + key)).toBe(200)
    expect(await read(path + key, { cookie: `parley=${bob.cookie}` })).toBe(401)
    expect(await read(path + key, { cookie: '' })).toBe(401)
    expect(await read(`${path}key=${ada.pageKey}`)).toBe(401)
    expect(await read(path)).toBe(401)
  }
  expect(await read(`/metrics?${key}`)).toBe(401)
  const post = { method: 'POST', body: CALL, headers: cookie }
  expect((await fetch(`${url}/api/mcp/call?${key}`, post)).status).toBe(401)
  expect((await fetch(`${url}/api/attachments?name=a.txt&${key}`, { ...post, body: 'x' })).status).toBe(401)
})
