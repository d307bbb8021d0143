import { expect, test } from 'vitest'
import { createAccess } from './access.ts'
import { memoryShelf } from './memory-shelf.ts'
import { createTokens } from './tokens.ts'

test('[S15] only on loopback is there a hub without tokens, also when they vanish while it runs', () => {
  const tokens = createTokens({ shelf: memoryShelf(), given: [] })
  const local = createAccess({ tokens, loopback: true })
  for (const role of ['human', 'agent'] as const)
    expect(local.principalOf({}, role)).toMatchObject({ id: `local:${role}`, name: 'local', role })
  const open = createAccess({ tokens, loopback: false })
  expect(() => open.principalOf({}, 'human')).toThrow('This hub requires a token')
})

test('[S7] a bearer token wins over a cookie, and neither stands in for the other', async () => {
  const tokens = createTokens({ shelf: memoryShelf(), given: [] })
  const { principalOf } = createAccess({ tokens, loopback: true })
  const { secret } = await tokens.create({ name: 'codex', role: 'agent' })
  await tokens.create({ name: 'ada' })
  const { cookie, pageKey } = await tokens.trade(await tokens.link('ada'))
  const key = { 'x-parley-key': pageKey }
  expect(principalOf({ authorization: `bearer ${secret}`, cookie: `parley=${cookie}` }, 'human').name).toBe('codex')
  expect(principalOf({ cookie: `parley=${cookie}`, ...key }, 'agent')).toEqual({
    id: 'ada',
    name: 'ada',
    role: 'human',
  })
  expect(() => principalOf({ authorization: `Bearer ${cookie}` }, 'human')).toThrow('Unknown token')
  expect(() => principalOf({ cookie: `parley=${secret}`, ...key }, 'human')).toThrow('signed out')
  for (const none of ['', 'parley=', 'xparley=1', 'parley'])
    expect(() => principalOf({ cookie: none }, 'human')).toThrow('requires a token')
})

test('[M96] whoever is the same caller is the same principal, until the tokens change', async () => {
  const tokens = createTokens({ shelf: memoryShelf(), given: [] })
  const { principalOf } = createAccess({ tokens, loopback: true })
  expect(principalOf({}, 'human')).toBe(principalOf({}, 'human'))
  const { secret } = await tokens.create({ name: 'ada' })
  const { cookie, pageKey } = await tokens.trade(await tokens.link('ada'))
  const credentials = { cookie: `parley=${cookie}`, 'x-parley-key': pageKey }
  const known = principalOf(credentials, 'human')
  expect(principalOf(credentials, 'human')).toBe(known)
  expect(principalOf({ authorization: `Bearer ${secret}` }, 'human')).toBe(known)
})
