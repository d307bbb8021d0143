import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/hub.ts'
import { said, startGateway, untilMount, upstream } from '../support/upstream/gateway.ts'
import { follow, signIn, startProtected, startWithProtected } from '../support/upstream/signed-in.ts'

const NEEDS = 'it needs sign-in: parley mount login far'
const QUICK = { backOffMs: 20, mostBackOffMs: 50 }

function keptIn(data: string): Record<string, { tokens?: object; begun?: { state: string } }> {
  return JSON.parse(readFileSync(join(data, 'sign-ins.json'), 'utf8')).servers
}

test.each(['modern', 'legacy'] as const)(
  '[G240] [G241] a server of the %s era that wants a sign-in says so once, and works when a person has signed in',
  async (era) => {
    const { gateway, connect, far, oauth } = await startWithProtected({ era, patience: QUICK })
    const state = await untilMount(gateway, 'far', ({ state }) => state === 'needs sign-in')
    expect(state).toMatchObject({ problem: NEEDS, sign_in: true })
    const client = await connect()
    expect(await said(client, 'far_hello')).toBe(`The server "far" cannot be used now: ${NEEDS}`)
    expect(far.refused).toEqual([401])
    const page = await signIn(gateway)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Signed in to far.') })
    expect(await said(client, 'far_hello')).toBe('Hello!')
    expect(gateway.state('far')).toMatchObject({ sign_in: false, problem: undefined })
    expect(oauth.clients.size).toBe(1)
  },
)

test('[G240] one that speaks the oldest transport says so too', async () => {
  const { far } = await startProtected()
  const { gateway } = await startGateway({ servers: { far: { type: 'sse', url: far.url } }, patience: QUICK })
  const { problem } = await untilMount(gateway, 'far', ({ state }) => state === 'needs sign-in')
  expect([problem, far.refused]).toEqual([NEEDS, [401]])
})

test('[G242] what a sign-in gave is in a file for its owner alone, and the next hub needs no other', async () => {
  const { gateway, data, close, far, oauth } = await startWithProtected()
  await signIn(gateway)
  expect(statSync(join(data, 'sign-ins.json')).mode & 0o777).toBe(0o600)
  expect(keptIn(data).far?.begun).toBeUndefined()
  await close()
  const next = await startGateway({ data, servers: { far: { url: far.url } } })
  expect(await said(await next.connect(), 'far_hello')).toBe('Hello!')
  expect(oauth.requests.filter((request) => request === 'POST /token')).toHaveLength(1)
})

test('[G243] it is for one name at one address: neither another server of that name nor another name there gets it', async () => {
  const { gateway, data, far } = await startWithProtected()
  const other = await startProtected()
  await signIn(gateway)
  const both = { far: { url: other.far.url }, same: { url: far.url } }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: both }))
  await untilMount(gateway, 'same', ({ state }) => state === 'needs sign-in')
  await untilMount(gateway, 'far', ({ state }) => state === 'needs sign-in')
  expect(keptIn(data).far).toBeUndefined()
  expect(other.far.shown).toEqual([''])
})

test('[G244] nothing of it is left when its server is removed, also while no hub runs', async () => {
  const { gateway, data, close, far } = await startWithProtected()
  await signIn(gateway)
  await gateway.remove('far')
  expect(keptIn(data)).toEqual({})
  gateway.add('far', { url: far.url })
  await untilMount(gateway, 'far', ({ state }) => state === 'needs sign-in')
  await signIn(gateway)
  await close()
  expect(keptIn(data).far?.tokens).toBeDefined()
  await startGateway({ data, servers: {} })
  expect(keptIn(data)).toEqual({})
})

test.each(['modern', 'legacy'] as const)(
  '[G245] a token that counts no more is renewed, once for all calls at a server of the %s era',
  async (era) => {
    const { gateway, connect, data, oauth } = await startWithProtected({ era })
    await signIn(gateway)
    const client = await connect()
    const before = keptIn(data).far?.tokens
    for (const round of [1, 2]) {
      oauth.tokens.clear()
      const calls = Array.from({ length: 5 }, () => said(client, 'far_hello'))
      expect(new Set(await Promise.all(calls))).toEqual(new Set(['Hello!']))
      expect(oauth.requests.filter((request) => request === 'POST /token')).toHaveLength(1 + round)
    }
    expect(keptIn(data).far?.tokens).not.toEqual(before)
    expect(gateway.state('far')).toMatchObject({ state: 'ready', sign_in: false })
  },
)

test.each(['modern', 'legacy'] as const)(
  '[G246] a refused renewal leads back to the sign-in at a server of the %s era, and the call says so',
  async (era) => {
    const { gateway, connect, data, far, oauth } = await startWithProtected({ era, patience: QUICK })
    await signIn(gateway)
    const client = await connect()
    oauth.manners.refreshing = 'refuse'
    oauth.tokens.clear()
    expect(await said(client, 'far_hello')).toBe(`The server "far" cannot be used now: ${NEEDS}`)
    expect(gateway.state('far')).toMatchObject({ state: 'needs sign-in', problem: NEEDS, sign_in: true })
    expect(keptIn(data).far?.tokens).toBeUndefined()
    const asked = far.refused.length
    expect(await said(client, 'far_hello')).toContain(NEEDS)
    expect(far.refused).toHaveLength(asked)
    oauth.manners.refreshing = 'give'
    await signIn(gateway)
    expect(await said(client, 'far_hello')).toBe('Hello!')
  },
)

test('[G246] where it can only not be renewed now it is tried again later, with what there is', async () => {
  const { gateway, connect, oauth } = await startWithProtected({ patience: QUICK })
  await signIn(gateway)
  const client = await connect()
  oauth.manners.refreshing = 'break'
  oauth.tokens.clear()
  expect(await said(client, 'far_hello')).toContain('503')
  await untilMount(gateway, 'far', ({ state, problem = '' }) => state === 'failed' && problem.includes('503'))
  oauth.manners.refreshing = 'give'
  await untilMount(gateway, 'far', ({ state }) => state === 'ready')
  expect(await said(client, 'far_hello')).toBe('Hello!')
})

test.each(['modern', 'legacy'] as const)(
  '[G247] a call that needs more rights at a server of the %s era says so, others go on, and the next sign-in asks for them besides',
  async (era) => {
    const { gateway, connect, oauth } = await startWithProtected({ era })
    await signIn(gateway)
    const client = await connect()
    const more = 'a call needs more rights: parley mount login far'
    expect(await said(client, 'far_admin')).toBe(`The server "far" cannot be used now: ${more}`)
    expect(gateway.state('far')).toMatchObject({ state: 'ready', problem: more, sign_in: true })
    expect(await said(client, 'far_hello')).toBe('Hello!')
    const address = await gateway.signIns.begin('far')
    expect(new URL(address).searchParams.get('scope')).toBe('read write')
    await follow(address)
    await untilMount(gateway, 'far', ({ state, sign_in }) => state === 'ready' && !sign_in)
    expect(await said(client, 'far_admin')).toBe('Done')
    expect(oauth.clients.size).toBe(1)
  },
)

test('[G248] a browser comes back once, in time and with the right word, or nothing happens', async () => {
  const { gateway, url, oauth, data } = await startWithProtected()
  oauth.manners.consent = 'ask'
  const asked = new URL(await gateway.signIns.begin('far')).searchParams
  const callback = (state: string, more = 'code=of-somebody') => follow(`${url}/oauth/callback?state=${state}&${more}`)
  for (const state of ['', 'guessed', keptIn(data).far?.begun?.state ?? ''])
    expect(await callback(state)).toMatchObject({
      status: 410,
      text: expect.stringContaining(
        'Unknown sign-in: it was already used, took too long or was started again; start again',
      ),
    })
  expect((await callback(asked.get('state') ?? '')).status).toBe(502)
  expect((await callback(asked.get('state') ?? '')).status).toBe(410)
  oauth.manners.consent = 'allow'
  const first = await gateway.signIns.begin('far')
  const replaced = expect(gateway.signIns.outcome('far')).rejects.toThrow('another one was begun')
  const second = await gateway.signIns.begin('far')
  await replaced
  expect((await follow(first)).status).toBe(410)
  expect((await follow(second)).status).toBe(200)
})

test('[G322] a sign-in that is begun while another one is finished can be finished, too', async () => {
  const { gateway, oauth } = await startWithProtected()
  const [traded, isTraded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  oauth.manners.trading = () => {
    isTraded.resolve()
    return traded.promise
  }
  const first = follow(await gateway.signIns.begin('far'))
  await isTraded.promise
  const second = await gateway.signIns.begin('far')
  const outcome = gateway.signIns.outcome('far')
  traded.resolve()
  expect((await first).status).toBe(200)
  expect((await follow(second)).status).toBe(200)
  await outcome
})

test('[G249] a sign-in that is refused, or that nobody finishes, leaves nothing and says so', async () => {
  const { gateway, oauth, data } = await startWithProtected()
  oauth.manners.consent = 'deny'
  const address = await gateway.signIns.begin('far')
  const refused = expect(gateway.signIns.outcome('far')).rejects.toThrow('The sign-in to "far" was refused')
  expect(await follow(address)).toMatchObject({ status: 403, text: expect.stringContaining('was refused') })
  await refused
  const late = await startWithProtected({ patience: { signInMs: 10 } })
  const missed = await late.gateway.signIns.begin('far')
  await expect(late.gateway.signIns.outcome('far')).rejects.toThrow('The sign-in to "far" took too long; start again')
  expect((await follow(missed)).status).toBe(410)
  for (const folder of [data, late.data]) expect(keptIn(folder).far).toEqual({ url: expect.any(String) })
  expect(late.gateway.state('far').state).toBe('needs sign-in')
})

test('[G250] one that was begun at a hub is finished at the next', async () => {
  const { gateway, data, close, far, oauth } = await startWithProtected()
  const address = new URL(await gateway.signIns.begin('far'))
  await close()
  const next = await startGateway({ data, servers: { far: { url: far.url } } })
  oauth.manners.answer = (own) => own
  const location = (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? ''
  const page = await follow(`${next.url}/oauth/callback${new URL(location).search}`)
  expect(page.text).toContain('Signed in to far.')
  await untilMount(next.gateway, 'far', ({ state }) => state === 'ready')
})

test('[G251] a server that refuses the header of its mount says so, and is not asked again', async () => {
  const { far } = await startProtected()
  const headers = { Authorization: 'Bearer of-yesterday' }
  const { gateway } = await startGateway({ servers: { far: { url: far.url, headers } }, patience: QUICK })
  const { problem, sign_in } = await untilMount(gateway, 'far', ({ state }) => state === 'failed')
  expect(problem).toBe('it refuses the authorization header of its mount; mount it again with another')
  expect(sign_in).toBe(false)
  await expect(gateway.signIns.begin('far')).rejects.toThrow('its mount has an authorization header of its own')
})

test('[G253] a damaged file of sign-ins is said where one is needed, and left as it is; all else works', async () => {
  const { far } = await startProtected()
  const data = await temporaryFolder()
  writeFileSync(join(data, 'sign-ins.json'), '{"version":2}')
  const { gateway, connect } = await startGateway({ data, servers: { far: { url: far.url }, own: upstream() } })
  const { problem } = await untilMount(gateway, 'far', ({ state }) => state === 'failed')
  expect(problem).toMatch(/sign-ins.json is not a list of sign-ins; remove it and sign in again$/)
  await expect(gateway.signIns.begin('far')).rejects.toMatchObject({ code: 'sign_ins_damaged' })
  expect(await said(await connect(), 'own_echo', { text: 'here' })).toBe('here')
  await gateway.remove('far')
  expect(readFileSync(join(data, 'sign-ins.json'), 'utf8')).toBe('{"version":2}')
})

test('[G252] who signs out needs to sign in again, and is known there no more', async () => {
  const { gateway, connect, data, oauth } = await startWithProtected()
  await signIn(gateway)
  gateway.signOut('far')
  await untilMount(gateway, 'far', ({ state }) => state === 'needs sign-in')
  expect(keptIn(data)).toEqual({})
  expect(await said(await connect(), 'far_hello')).toContain(NEEDS)
  await signIn(gateway)
  expect(oauth.clients.size).toBe(2)
  expect(existsSync(join(data, 'sign-ins.json.new'))).toBe(false)
})
