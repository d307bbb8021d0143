import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { guardOf } from './guard.ts'
import { otherOrigins } from './other-origins.ts'

const OWN_PORT = 4117
const ALLOWED = 'http://localhost:5173'

const openGuard = guardOf('0.0.0.0')

function from(host: string, origin?: string, url = '/mcp'): IncomingMessage {
  return { url, headers: { host, origin, cookie: 'parley=1' }, socket: { localPort: OWN_PORT } } as IncomingMessage
}

test('[S14] where others reach the hub, a page must be of the very host it calls', () => {
  for (const [host, origin] of [
    ['hub.example', undefined],
    ['hub.example:4117', 'http://hub.example:4117'],
    ['hub.example', 'https://hub.example'],
    ['HUB.example', 'https://hub.example'],
    ['[fe80::1]:4117', 'http://[fe80::1]:4117'],
  ] as const)
    expect(() => openGuard(from(host, origin))).not.toThrow()
  for (const [host, origin] of [
    ['hub.example:4117', 'http://hub.example'],
    ['hub.example:4117', 'http://hub.example:4118'],
    ['hub.example', 'http://evil.example'],
    ['hub.example', 'http://hub.example.evil.example'],
    ['hub.example', 'ftp://hub.example'],
    ['hub.example', 'null'],
    ['', 'http://'],
  ] as const)
    expect(() => openGuard(from(host, origin))).toThrow(`Pages of "${origin}" may not talk to Parley`)
})

test.each(['127.0.0.1', '0.0.0.0'])(
  '[S25] at %s an allowed origin comes to what is for programs alone',
  (listening) => {
    const guard = guardOf(listening, otherOrigins([ALLOWED, 'https://app.example']))
    const host = `localhost:${OWN_PORT}`
    for (const url of ['/ws', '/ws?dialect=loop', '/mcp', '/mcp/human?x', '/api/tools/ui_end_turn', '/api/mcp/call'])
      for (const origin of [ALLOWED, 'HTTP://LocalHost:5173', 'https://app.example', 'https://app.example:443'])
        expect(() => guard(from(host, origin, url))).not.toThrow()
    const others = [
      '/',
      '/x.js',
      '/sign-in/1',
      '/sign-out',
      '/attachments/1/a.png',
      '/api/attachments',
      '/api/export/a',
    ]
    const tricks = ['/mcp/../sign-out', '/mcp/%2e%2e/metrics', '//x/mcp', '/mcpx', '/wsx', 'http://x/mcp', '/api', '*']
    for (const url of [...others, '/metrics', '/healthz', '/readyz', '/api/tools/../attachments', ...tricks])
      expect(() => guard(from(host, ALLOWED, url)), url).toThrow(`Pages of "${ALLOWED}" may not talk to Parley`)
  },
)

test('[S25] an origin is allowed exactly, and calls the hub by its own name', () => {
  const guard = guardOf('127.0.0.1', otherOrigins([ALLOWED]))
  const near = ['http://localhost', 'http://localhost:51730', 'https://localhost:5173', 'http://127.0.0.1:5173']
  for (const origin of [...near, 'http://a.localhost:5173', 'http://localhost:5173.evil.example', 'null', '*', ''])
    expect(() => guard(from(`localhost:${OWN_PORT}`, origin))).toThrow('may not talk to Parley')
  for (const host of ['evil.example', 'localhost', 'localhost:5173'])
    expect(() => guard(from(host, ALLOWED))).toThrow(`Parley does not answer to the host "${host}"`)
})

test('[S28] a cookie counts for the page of the hub, and not for one of another origin', () => {
  const own = `http://localhost:${OWN_PORT}`
  const guard = guardOf('127.0.0.1', otherOrigins([ALLOWED, own]))
  const cookieFrom = (origin?: string) => {
    const request = from(`localhost:${OWN_PORT}`, origin)
    guard(request)
    return request.headers.cookie
  }
  expect([undefined, own, ALLOWED].map(cookieFrom)).toEqual(['parley=1', 'parley=1', undefined])
})
