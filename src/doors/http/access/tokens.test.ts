import { expect, test } from 'vitest'
import { givenTokens } from './given-tokens.ts'
import { memoryShelf } from './memory-shelf.ts'
import { createTokens } from './tokens.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

function tokensAt(start = Date.UTC(2026, 0, 1), given = '') {
  let now = start
  const shelf = memoryShelf()
  const tokens = createTokens({ shelf, given: givenTokens(given), now: () => now })
  return { ...tokens, shelf, pass, ofPass }

  function ofPass({ cookie, pageKey }: { cookie: string; pageKey: string }) {
    return tokens.ofCookie(cookie, { pageKey })
  }

  function pass(ms: number) {
    now += ms
  }
}

test('[S6] a token is 32 random bytes, and only its hash is kept', async () => {
  const { create, link, trade, shelf } = tokensAt()
  const { secret } = await create({ name: 'ada' })
  expect(secret).toMatch(/^parley_[\w-]{43}$/)
  expect((await create({ name: 'bob' })).secret).not.toBe(secret)
  const code = await link('ada')
  const kept = [JSON.stringify(shelf.read())]
  const { cookie, pageKey } = await trade(code)
  kept.push(JSON.stringify(shelf.read()))
  for (const text of kept)
    for (const made of [secret, code, cookie, pageKey.slice(0, -22), pageKey.slice(-22)])
      expect(text).not.toContain(made.slice(7))
})

test('[S6] tokens from the environment count, and are never put where tokens are kept', async () => {
  const { exist, ofToken, create, shelf } = tokensAt(0, 'ada:human:s3:cret, codex:agent:other,')
  expect(exist()).toBe(true)
  expect(ofToken('s3:cret')).toEqual({ id: 'ada', name: 'ada', role: 'human' })
  expect(ofToken('other')).toEqual({ id: 'codex', name: 'codex', role: 'agent' })
  await create({ name: 'bob' })
  expect(shelf.read().map(({ name }) => name)).toEqual(['bob'])
})

test.each(['ada', 'ada:human', 'ada:king:s3cret', ':human:s3cret', 'local:human:s3cret', 'ada:human:'])(
  '[S6] %s in the environment is refused without repeating it',
  (text) => {
    expect(() => givenTokens(`x:human:y,${text}`)).toThrow(
      'PARLEY_TOKENS is name:role:token, separated by commas, and number 2 is not',
    )
  },
)

test('[S7] an unknown, an expired and a revoked token are each told so', async () => {
  const { create, revoke, ofToken, pass } = tokensAt()
  expect(() => ofToken('parley_nonsense')).toThrow('Unknown token; it may have been replaced')
  const { secret } = await create({ name: 'ada', lifeMs: DAY_MS })
  pass(DAY_MS - 1)
  expect(ofToken(secret).name).toBe('ada')
  pass(1)
  expect(() => ofToken(secret)).toThrow('The token of ada expired on 2026-01-02')
  const { secret: other } = await create({ name: 'bob' })
  await revoke('bob')
  expect(() => ofToken(other)).toThrow('The token of bob was revoked')
  await expect(revoke('bob')).rejects.toThrow('Unknown token name bob')
})

test('[S8] a new token replaces the one of that name, which stays who it was unless told otherwise', async () => {
  const { create, ofToken, list, revoke } = tokensAt()
  const first = await create({ name: 'codex', role: 'agent', conversation: 'work', lifeMs: DAY_MS })
  const second = await create({ name: 'codex' })
  const codex = { id: 'codex', name: 'codex', role: 'agent', conversation: 'work' }
  expect(ofToken(second.secret)).toEqual(codex)
  expect(() => ofToken(first.secret)).toThrow('Unknown token')
  expect(list()).toHaveLength(1)
  await revoke('codex')
  expect(ofToken((await create({ name: 'codex' })).secret)).toEqual(codex)
  expect(ofToken((await create({ name: 'codex', role: 'orchestrator', conversation: 'home' })).secret)).toEqual({
    id: 'codex',
    name: 'codex',
    role: 'orchestrator',
    conversation: 'home',
  })
})

test('[S11] a link works once and for ten minutes, and only for people', async () => {
  const { create, link, ofLink, trade, ofPass, pass } = tokensAt()
  await create({ name: 'ada' })
  await create({ name: 'codex', role: 'agent' })
  await expect(link('codex')).rejects.toThrow('This is for human or admin, and codex is agent')
  await expect(link('nobody')).rejects.toThrow('Unknown token name nobody')
  const code = await link('ada')
  expect(ofLink(code).name).toBe('ada')
  expect(ofLink(code).name).toBe('ada')
  expect(ofPass(await trade(code)).name).toBe('ada')
  expect(() => ofLink(code)).toThrow('This link was already used or has expired; parley open makes a new one')
  await expect(trade(code)).rejects.toThrow('already used or has expired')
  const late = await link('ada')
  pass(10 * MINUTE_MS)
  expect(() => ofLink(late)).toThrow('already used or has expired')
  await expect(trade(late)).rejects.toThrow('already used or has expired')
})

test('[S12] a cookie lasts 30 days at most, and no longer than its principal', async () => {
  const { create, link, trade, ofPass, ofToken, forget, revoke, pass } = tokensAt()
  await create({ name: 'ada' })
  const [one, two, three] = [
    await trade(await link('ada')),
    await trade(await link('ada')),
    await trade(await link('ada')),
  ]
  expect(() => ofToken(one.cookie)).toThrow('Unknown token')
  await forget(one.cookie, two)
  expect(ofPass(one).name).toBe('ada')
  await forget(one.cookie, one)
  expect(() => ofPass(one)).toThrow(expect.objectContaining({ code: 'signed_out' }))
  pass(30 * DAY_MS - 1)
  expect(ofPass(two)).toEqual({ id: 'ada', name: 'ada', role: 'human' })
  pass(1)
  expect(() => ofPass(two)).toThrow('This browser is signed out')
  const four = await trade(await link('ada'))
  await revoke('ada')
  await create({ name: 'ada' })
  for (const signedIn of [three, four]) expect(() => ofPass(signedIn)).toThrow('This browser is signed out')
})

test('[S12] a cookie of somebody whose token expired is refused', async () => {
  const { create, link, trade, ofPass, pass } = tokensAt()
  await create({ name: 'ada', lifeMs: DAY_MS })
  const signedIn = await trade(await link('ada'))
  pass(DAY_MS)
  expect(() => ofPass(signedIn)).toThrow('The token of ada expired on 2026-01-02')
})

test('[S15] a hub whose tokens are all revoked or expired does not open by itself', async () => {
  const { create, revoke, exist, firstPerson, pass } = tokensAt()
  expect(exist()).toBe(false)
  await create({ name: 'ada' })
  await create({ name: 'bob', lifeMs: 1 })
  expect(firstPerson()).toBe('ada')
  await revoke('ada')
  pass(1)
  expect([exist(), firstPerson()]).toEqual([true, undefined])
})

test('[S43] a cookie is worth nothing without the key of its page, and the part for files is worth only that', async () => {
  const { create, link, trade, ofCookie } = tokensAt()
  await create({ name: 'ada' })
  const [one, two] = [await trade(await link('ada')), await trade(await link('ada'))]
  const fileKey = one.pageKey.slice(-22)
  expect(ofCookie(one.cookie, { pageKey: one.pageKey }).name).toBe('ada')
  expect(ofCookie(one.cookie, { fileKey }).name).toBe('ada')
  const worthless = [{}, { pageKey: '' }, { pageKey: two.pageKey }, { pageKey: fileKey }, { fileKey: one.pageKey }]
  for (const shown of worthless) expect(() => ofCookie(one.cookie, shown)).toThrow('This browser is signed out')
  for (const key of [one.pageKey, fileKey])
    expect(() => ofCookie(key, { pageKey: one.pageKey })).toThrow('This browser is signed out')
})

test.each([{}, { role: 'agent' }, { conversation: 'work' }] as const)(
  '[S45] a new token, as %j, ends the cookies and links of the one before',
  async (wanted) => {
    const { create, link, trade, ofLink, ofPass } = tokensAt()
    for (const name of ['ada', 'bob']) await create({ name })
    const [ada, bob, code] = [await trade(await link('ada')), await trade(await link('bob')), await link('ada')]
    await create({ name: 'ada', ...wanted })
    expect(() => ofPass(ada)).toThrow('This browser is signed out')
    expect(() => ofLink(code)).toThrow('already used or has expired')
    expect(ofPass(bob).name).toBe('bob')
  },
)

test('[S45] another token from the environment ends the cookies of the one before, too', async () => {
  const shelf = memoryShelf()
  const hubWith = (tokens: string) => createTokens({ shelf, given: givenTokens(tokens) })
  const first = hubWith('ada:human:one')
  const { cookie, pageKey } = await first.trade(await first.link('ada'))
  expect(hubWith('ada:human:one').ofCookie(cookie, { pageKey }).name).toBe('ada')
  expect(() => hubWith('ada:human:two').ofCookie(cookie, { pageKey })).toThrow('This browser is signed out')
})

test('[S40] where people sign in the owner is who they were, by a link alone, until it is undone', async () => {
  const { protect, unprotect, exist, firstPerson, link, trade, ofPass, create, list } = tokensAt()
  expect(await unprotect()).toBe(false)
  expect([await protect(), await protect()]).toEqual([true, false])
  expect([exist(), firstPerson(), list()]).toEqual([true, 'local', []])
  const signedIn = await trade(await link('local'))
  expect(ofPass(signedIn)).toEqual({ id: 'local:human', name: 'local', role: 'human', owner: true })
  await create({ name: 'codex', role: 'agent' })
  expect(await unprotect()).toBe(true)
  expect(() => ofPass(signedIn)).toThrow('This browser is signed out')
  await expect(link('local')).rejects.toThrow('Unknown token name local')
  expect([exist(), list().length]).toEqual([true, 1])
  await protect()
  expect(() => ofPass(signedIn)).toThrow('This browser is signed out')
})
