import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { openGuard } from './guard.ts'

const from = (host: string, origin?: string) => ({ headers: { host, origin } }) as IncomingMessage

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
