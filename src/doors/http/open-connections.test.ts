import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { type Access, createAccess } from './access/access.ts'
import { fileShelf } from './access/file-shelf.ts'
import { memoryShelf } from './access/memory-shelf.ts'
import type { Shelf } from './access/token-entry.ts'
import { createTokens } from './access/tokens.ts'
import { trackConnections } from './open-connections.ts'

const DAY_MS = 24 * 60 * 60_000

function place(shelf: Shelf = memoryShelf()) {
  let time = Date.UTC(2026, 0, 1)
  const tokens = createTokens({ shelf, given: [], now: () => time })
  const access = createAccess({ tokens, loopback: true })
  const looked: string[] = []
  const reported: unknown[] = []
  const connections = trackConnections({
    access: { ...access, principalIn },
    most: 10_000,
    report: (error) => reported.push(error),
  })
  // Only the tests sweep.
  connections.close()
  return { ...connections, tokens, looked, reported, connect, signIn, pass }

  function principalIn(...asked: Parameters<Access['principalIn']>) {
    const principal = access.principalIn(...asked)
    looked.push(principal.name)
    return principal
  }

  function connect({ cookie, pageKey } = { cookie: '', pageKey: '' }): PassThrough {
    const credentials = { cookie: `parley=${cookie}`, 'x-parley-key': pageKey }
    const stream = new PassThrough()
    connections.add({ credentials, principal: access.principalOf(credentials, 'human'), stream })
    return stream
  }

  async function signIn(name: string) {
    return tokens.trade(await tokens.link(name))
  }

  function pass(ms: number) {
    time += ms
  }
}

test('[S23] who is connected is looked up once, and again only after a change', async () => {
  const { tokens, sweep, looked, connect, signIn } = place()
  await tokens.create({ name: 'ada' })
  const signedIn = await signIn('ada')
  for (let n = 0; n < 3; n++) connect(signedIn)
  for (let n = 0; n < 5; n++) await sweep()
  expect(looked).toEqual(['ada', 'ada', 'ada'])
  connect(signedIn)
  await sweep()
  expect(looked).toHaveLength(4)
  await tokens.create({ name: 'bob' })
  for (let n = 0; n < 5; n++) await sweep()
  expect(looked).toHaveLength(8)
})

test('[S23] a crowd is looked at in pieces, and others have their turn between them', async () => {
  const { tokens, sweep, looked, connect, signIn } = place()
  await tokens.create({ name: 'ada' })
  const signedIn = await signIn('ada')
  for (let n = 0; n < 1000; n++) connect(signedIn)
  const swept = sweep().then(() => 'swept')
  const pieces = [looked.length]
  while ((await Promise.race([swept, turn('turn')])) === 'turn')
    pieces.push(looked.length - pieces.reduce((a, b) => a + b))
  expect(looked).toHaveLength(1000)
  expect(Math.max(...pieces)).toBeLessThanOrEqual(100)
})

test('[S9] [S12] what is open ends with its cookie, its token, its role, its conversation or its sign-in', async () => {
  const { tokens, sweep, connect, signIn, count, pass } = place()
  const local = connect()
  await sweep()
  expect(local.destroyed).toBe(false)
  await tokens.create({ name: 'ada' })
  await tokens.create({ name: 'bob', lifeMs: DAY_MS })
  await sweep()
  expect(local.destroyed).toBe(true)
  const ends: (() => unknown)[] = [
    () => tokens.revoke('ada'),
    () => tokens.create({ name: 'ada', role: 'admin' }),
    () => tokens.create({ name: 'ada', conversation: 'work' }),
    () => pass(30 * DAY_MS),
  ]
  for (const end of ends) {
    await tokens.create({ name: 'ada', role: 'human' })
    const [ada, leaving] = [connect(await signIn('ada')), await signIn('ada')]
    await sweep()
    expect(ada.destroyed).toBe(false)
    const out = connect(leaving)
    await sweep()
    await tokens.forget(leaving.cookie, leaving)
    await sweep()
    expect([out.destroyed, ada.destroyed]).toEqual([true, false])
    await end()
    await sweep()
    expect(ada.destroyed).toBe(true)
  }
  await tokens.create({ name: 'bob', lifeMs: DAY_MS })
  const bob = connect(await signIn('bob'))
  await sweep()
  pass(DAY_MS - 1)
  await sweep()
  expect(bob.destroyed).toBe(false)
  pass(1)
  const closed = once(bob, 'close')
  await sweep()
  await closed
  expect(count()).toBe(0)
})

test('[S12] what had expired and is valid again because the clock was set back ends when it expires again', async () => {
  const { tokens, sweep, connect, signIn, pass } = place()
  await tokens.create({ name: 'ada', lifeMs: DAY_MS })
  const signedIn = await signIn('ada')
  pass(2 * DAY_MS)
  await sweep()
  pass(-2 * DAY_MS)
  const ada = connect(signedIn)
  await sweep()
  expect(ada.destroyed).toBe(false)
  pass(DAY_MS)
  await sweep()
  expect(ada.destroyed).toBe(true)
})

test('[S16] when the tokens cannot be read any more, everything that is open ends and it is told once', async () => {
  const path = join(await temporaryFolder(), 'tokens.json')
  const { tokens, sweep, connect, signIn, reported } = place(fileShelf(path))
  await tokens.create({ name: 'ada' })
  const signedIn = await signIn('ada')
  const closed = Array.from({ length: 250 }, () => once(connect(signedIn), 'close'))
  await sweep()
  await writeFile(path, '[')
  await sweep()
  await Promise.all(closed)
  expect(reported.map(String)).toEqual([expect.stringContaining('is damaged')])
  await sweep()
  expect(reported).toHaveLength(1)
})
