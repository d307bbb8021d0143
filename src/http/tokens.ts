import { randomBytes } from 'node:crypto'
import { ParleyError } from '../protocol/errors.ts'
import { mustBeAble, type Principal, type Role, rolesThatCan } from '../protocol/principal.ts'
import { createTokenEdition, hashOf, type TokenEdition } from './token-edition.ts'
import { isToken, type Pass, type Shelf, type Token, type TokenEntry } from './token-entry.ts'

export type Tokens = ReturnType<typeof createTokens>

export interface TokensParts {
  shelf: Shelf
  /** From the environment: they count besides those on the shelf, and are never put there. */
  given: Token[]
  now?: () => number
}

export interface Wanted {
  name: string
  role?: Role
  conversation?: string
  lifeMs?: number
}

export const COOKIE_LIFE_MS = 30 * 24 * 60 * 60_000
const LINK_LIFE_MS = 10 * 60_000

/** Who may call, and how that changes. */
export function createTokens({ shelf, given, now = Date.now }: TokensParts) {
  let newest = createTokenEdition({ given, entries: [], now })
  return {
    exist,
    list,
    edition,
    firstPerson,
    ofToken: (secret: string) => edition().ofToken(secret),
    ofCookie: (secret: string) => edition().ofCookie(secret),
    ofLink: (code: string) => edition().ofLink(code),
    create,
    revoke,
    link,
    trade,
    forget,
  }

  /** Also when all are revoked or expired: a hub that was closed does not open by itself. */
  function exist(): boolean {
    return list().length > 0
  }

  function list(): Token[] {
    return edition().tokens
  }

  /** The same one as long as everybody is who they were. */
  function edition(): TokenEdition {
    return editionOf(shelf.read())
  }

  /** Made once for each change, and not for each of the many who are looked up. */
  function editionOf(entries: TokenEntry[]): TokenEdition {
    if (!newest.holds(entries)) newest = createTokenEdition({ given, entries, now })
    return newest
  }

  /** Whom a browser can be signed in as. */
  function firstPerson(): string | undefined {
    const usable = list().filter(({ expires_at, revoked_at }) => !revoked_at && !(expires_at && isPast(expires_at)))
    return usable.find(({ role }) => rolesThatCan('speak').includes(role))?.name
  }

  /** A name that has a token gets a new one and stays who it was, unless told otherwise. */
  async function create({ name, lifeMs, ...wanted }: Wanted): Promise<{ secret: string; principal: Principal }> {
    const secret = newSecret()
    let principal: Principal = { id: name, name, role: 'human' }
    await shelf.change((entries) => {
      const before = entries.filter(isToken).find((token) => token.name === name)
      const role = wanted.role ?? before?.role ?? 'human'
      principal = { id: name, name, role, conversation: wanted.conversation ?? before?.conversation }
      const expires_at = lifeMs === undefined ? undefined : timeAfter(lifeMs)
      const { id: _, ...kept } = principal
      const token: Token = { kind: 'token', ...kept, hash: hashOf(secret), created_at: timeAfter(0), expires_at }
      return [...fresh(entries).filter((entry) => entry !== before), token]
    })
    return { secret, principal }
  }

  /** Its links and cookies go with it. */
  async function revoke(name: string) {
    await shelf.change((entries) => {
      const token = entries.filter(isToken).find((token) => token.name === name && !token.revoked_at)
      if (!token) throw new ParleyError('unknown_principal', { name })
      const others = fresh(entries).filter((entry) => entry.name !== name)
      return [...others, { ...token, revoked_at: timeAfter(0) }]
    })
  }

  /** The code of a new one-time link. */
  async function link(name: string): Promise<string> {
    mustBeAble(edition().named(name), 'speak')
    const code = newSecret()
    await shelf.change((entries) => [...fresh(entries), pass('link', name, code, LINK_LIFE_MS)])
    return code
  }

  /** The secret of a new cookie; the code is used up. */
  async function trade(code: string): Promise<string> {
    const secret = newSecret()
    await shelf.change((entries) => {
      const { link, named } = editionOf(entries)
      const used = link(code)
      const { name } = named(used.name)
      return [...fresh(entries).filter((entry) => entry !== used), pass('cookie', name, secret, COOKIE_LIFE_MS)]
    })
    return secret
  }

  async function forget(secret: string) {
    const pass = edition().cookie(secret)
    if (pass) await shelf.change((entries) => fresh(entries).filter(({ hash }) => hash !== pass.hash))
  }

  function pass(kind: Pass['kind'], name: string, secret: string, lifeMs: number): Pass {
    return { kind, name, hash: hashOf(secret), created_at: timeAfter(0), expires_at: timeAfter(lifeMs) }
  }

  /** Links and cookies that are over need not be kept; tokens are, so that their bearers can be told. */
  function fresh(entries: TokenEntry[]): TokenEntry[] {
    return entries.filter((entry) => isToken(entry) || !isPast(entry.expires_at))
  }

  function isPast(time: string): boolean {
    return Date.parse(time) <= now()
  }

  function timeAfter(ms: number): string {
    return new Date(now() + ms).toISOString()
  }
}

function newSecret(): string {
  return `parley_${randomBytes(32).toString('base64url')}`
}
