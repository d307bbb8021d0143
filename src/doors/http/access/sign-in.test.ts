import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startHub, temporaryFolder } from '../../../../test/support/hub.ts'
import { connect } from '../../../../test/support/socket.ts'
import { fileShelf } from './file-shelf.ts'
import { createTokens } from './tokens.ts'

async function hubWithAda() {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  const page = await connect(hub.url)
  await hub.tokens.create({ name: 'ada <b>' })
  await page.closed
  const link = `${hub.url}/sign-in/${await hub.tokens.link('ada <b>')}`
  return { ...hub, data, link }
}

const press = (link: string) => fetch(link, { method: 'POST' })

/** What a browser shows that pressed the button. */
async function signedIn(pressed: Response) {
  const cookie = pressed.headers.get('set-cookie')?.split(';')[0] ?? ''
  const [, key = ''] = /data-key="(parley_[\w-]{43})"/.exec(await pressed.text()) ?? []
  return { cookie, 'x-parley-key': key }
}

function statusOf(url: string, headers: Record<string, string>): Promise<number | WebSocket> {
  return new Promise((resolve) => {
    const ws = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers })
    ws.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    ws.on('open', () => resolve(ws))
    ws.on('error', () => {})
  })
}

test('[S11] opening a link shows who would be signed in and uses nothing up; its button does, once', async () => {
  const { url, link } = await hubWithAda()
  for (const method of ['GET', 'HEAD', 'GET']) {
    const shown = await fetch(link, { method })
    expect(shown.status).toBe(200)
    if (method === 'GET') expect(await shown.text()).toContain('<button autofocus>Sign in as ada &lt;b&gt;</button>')
    expect(shown.headers.get('set-cookie')).toBeNull()
    expect(shown.headers.get('cache-control')).toBe('no-store')
    expect(shown.headers.get('referrer-policy')).toBe('strict-origin')
    const policy = shown.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
  }
  const pressed = await press(link)
  expect([pressed.status, pressed.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const { cookie, ...key } = await signedIn(pressed)
  const ws = (await statusOf(url, { cookie: `other=1; ${cookie}; more=2`, ...key })) as WebSocket
  expect(ws).toBeInstanceOf(WebSocket)
  ws.terminate()
  for (const again of [await press(link), await fetch(link), await press(`${url}/sign-in/nonsense`)]) {
    expect([again.status, again.headers.get('set-cookie')]).toEqual([410, null])
    expect(await again.text()).toContain('This link was already used or has expired')
  }
})

test('[S11] a link older than ten minutes is refused', async () => {
  const { url, data } = await hubWithAda()
  const shelf = fileShelf(join(data, 'tokens.json'))
  const earlier = createTokens({ shelf, given: [], now: () => Date.now() - 10 * 60_000 })
  expect((await press(`${url}/sign-in/${await earlier.link('ada <b>')}`)).status).toBe(410)
})

test('[S11] a page of another origin cannot sign a browser in', async () => {
  const { link } = await hubWithAda()
  const foreign = await fetch(link, { method: 'POST', headers: { origin: 'http://evil.example' } })
  expect(foreign.status).toBe(403)
  expect((await press(link)).status).toBe(200)
})

test('[S12] the cookie is kept from scripts and from other sites', async () => {
  const { link } = await hubWithAda()
  expect((await press(link)).headers.get('set-cookie')).toMatch(
    /^parley=parley_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
  )
})

test('[S12] signing out forgets the cookie, clears it and ends what the browser has open', async () => {
  const { url, link } = await hubWithAda()
  const headers = await signedIn(await press(link))
  const ws = (await statusOf(url, headers)) as WebSocket
  const closed = new Promise((resolve) => ws.on('close', resolve))
  const out = await fetch(`${url}/sign-out`, { method: 'POST', headers })
  expect(out.status).toBe(204)
  expect(out.headers.get('set-cookie')).toBe('parley=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
  await closed
  expect(await statusOf(url, headers)).toBe(401)
  expect((await fetch(`${url}/sign-out`, { method: 'POST', headers })).status).toBe(204)
})

test('[S12] revoking a principal signs its browsers out', async () => {
  const { url, link, tokens } = await hubWithAda()
  const headers = await signedIn(await press(link))
  const ws = (await statusOf(url, headers)) as WebSocket
  const closed = new Promise((resolve) => ws.on('close', resolve))
  await tokens.revoke('ada <b>')
  expect(await statusOf(url, headers)).toBe(401)
  await closed
})

test('[S47] only the link of the owner presses its own button, and nobody else’s is pressed by a page', async () => {
  const { url, link, tokens } = await hubWithAda()
  expect(await (await fetch(link)).text()).not.toContain('id="owner"')
  await tokens.protect()
  const own = await (await fetch(`${url}/sign-in/${await tokens.link('local')}`)).text()
  expect(own).toContain('<form id="owner" method="post"><button autofocus>Sign in</button></form>')
  expect(own).toContain('<script src="/sign-in.js" defer></script>')
})
