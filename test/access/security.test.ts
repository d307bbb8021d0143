import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { openTestHub, startHub } from '../support/hub.ts'

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
}

function ask(port: number, headers: Record<string, string>, { method = 'GET', path = '/healthz', body = '' } = {}) {
  return new Promise<Answer>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function upgrade(port: number, headers: Record<string, string>, address = '127.0.0.1'): Promise<number> {
  return new Promise((resolve) => {
    const ws = new WebSocket(`ws://${address}:${port}/ws`, { headers })
    ws.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    ws.on('open', () => {
      ws.terminate()
      resolve(101)
    })
    ws.on('error', () => {})
  })
}

test('[S1] a hub that others could reach does not start without tokens', async () => {
  for (const host of ['0.0.0.0', '127.0.0.2', '192.168.1.7', 'example.com', '::'])
    await expect(openTestHub({ host, port: 0, data: 'memory' })).rejects.toThrow(
      `Listening on ${host} needs tokens, because others can reach it; make one with parley token create NAME --role human`,
    )
})

test('[S14] a hub that others can reach answers to any name, to those with a token, and to no foreign page', async () => {
  const hub = await openTestHub({ host: '127.0.0.2', port: 0, data: 'memory', tokens: 'ada:human:s3cret' })
  onTestFinished(hub.close)
  expect(hub.url).toBe(`http://127.0.0.2:${hub.port}`)
  const [host, authorization] = ['hub.example', 'Bearer s3cret']
  expect(await upgrade(hub.port, { authorization }, '127.0.0.2')).toBe(101)
  expect(await upgrade(hub.port, { host, authorization, origin: 'https://hub.example' }, '127.0.0.2')).toBe(101)
  expect(await upgrade(hub.port, { host, authorization, origin: 'https://evil.example' }, '127.0.0.2')).toBe(403)
  expect(await upgrade(hub.port, { host, origin: 'https://hub.example' }, '127.0.0.2')).toBe(401)
})

test('[S12] a browser that came by https gets a cookie that stays there', async () => {
  const hub = await openTestHub({ host: '127.0.0.2', port: 0, data: 'memory', tokens: 'ada:human:s3cret' })
  onTestFinished(hub.close)
  const link = `${hub.url}/sign-in/${await hub.tokens.link('ada')}`
  const headers = { origin: `https://127.0.0.2:${hub.port}` }
  const response = await fetch(link, { method: 'POST', redirect: 'manual', headers })
  expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=2592000; Secure$/)
})

test('[S2] a request for another host is refused, whatever it asks for', async () => {
  const { port } = await startHub()
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost',
    `localhost:${port + 1}`,
    `localhost.evil.example:${port}`,
  ]) {
    expect((await ask(port, { host })).status).toBe(403)
    expect((await ask(port, { host }, { method: 'POST', path: '/mcp' })).status).toBe(403)
    expect(await upgrade(port, { host })).toBe(403)
  }
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
    expect((await ask(port, { host })).status).toBe(200)
})

test('[S3] a page of any other origin is refused, also one of another port of this machine', async () => {
  const { port } = await startHub()
  const host = `localhost:${port}`
  const foreign = [
    'http://evil.example',
    `http://localhost:${port + 1}`,
    `https://localhost:${port}`,
    'http://localhost',
    'null',
    `http://localhost:${port}.evil.example`,
  ]
  for (const origin of foreign) {
    expect((await ask(port, { host, origin }, { method: 'POST', path: '/mcp' })).status).toBe(403)
    expect(await upgrade(port, { origin })).toBe(403)
  }
  for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`])
    expect(await upgrade(port, { origin })).toBe(101)
})

test('[S4] what is not there, and what is too large, is said in one sentence', async () => {
  const { port } = await startHub()
  const host = `localhost:${port}`
  const missing = await ask(port, { host }, { path: '/nowhere' })
  expect([missing.status, JSON.parse(missing.body).error.message]).toEqual([404, 'This hub has nothing at /nowhere'])
  const headers = { host, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const large = await ask(port, headers, { method: 'POST', path: '/mcp', body: 'x'.repeat(9 * 1024 * 1024) })
  expect(large.status).toBe(413)
  const broken = await ask(port, headers, { method: 'POST', path: '/mcp', body: '{"jsonrpc":' })
  expect([broken.status, JSON.parse(broken.body).error.code]).toEqual([400, -32700])
  expect((await ask(port, { host }, { path: '/../../etc/passwd' })).status).toBe(404)
  const nowhere = await ask(port, { host, connection: 'Upgrade', upgrade: 'websocket' }, { path: '//' })
  expect([nowhere.status, JSON.parse(nowhere.body).error]).toEqual([404, 'This hub has nothing at //'])
})

test('[S5] the page may load and run nothing but its own files', async () => {
  const { port } = await startHub()
  const { status, headers } = await ask(port, { host: `localhost:${port}` }, { path: '/' })
  expect(status).toBe(200)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
  expect(headers['content-security-policy']).not.toContain('unsafe')
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
})
