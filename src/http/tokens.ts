import { hash, randomBytes } from 'node:crypto'
import { ParleyError } from '../protocol/errors.ts'
import type { Principal, Role } from '../protocol/principal.ts'
import { mustBePerson } from './roles.ts'
import type { Pass, Shelf, Token, TokenEntry } from './token-entry.ts'

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

/**
 * Who may call. Only hashes are kept, and everything is found by its hash: how long a look-up takes tells nothing
 * about a secret, because nobody can choose a secret by the beginning of its hash.
 */
export function createTokens({ shelf, given, now = Date.now }: TokensParts) {
  return { exist, list, firstPerson, ofToken, ofCookie, ofLink, create, revoke, link, trade, forget }

  /** Also when all are revoked or expired: a hub that was closed does not open by itself. */
  function exist(): boolean {
    return given.length > 0 || shelf.read().some(isToken)
  }

  function list(): Token[] {
    return [...given, ...shelf.read().filter(isToken)]
  }

  /** Whom a browser can be signed in as. */
  function firstPerson(): string | undefined {
    const usable = list().filter(({ expires_at, revoked_at }) => !revoked_at && !(expires_at && isPast(expires_at)))
    return usable.find(({ role }) => role === 'human' || role === 'admin')?.name
  }

  function ofToken(secret: string): Principal {
    const wanted = hashOf(secret)
    const token = list().find(({ hash }) => hash === wanted)
    if (!token) throw new ParleyError('token_unknown')
    return usable(token)
  }

  function ofCookie(secret: string): Principal {
    const pass = findPass(shelf.read(), 'cookie', secret)
    if (!pass) throw new ParleyError('signed_out')
    return named(pass.name)
  }

  /** Looks at a link without using it up. */
  function ofLink(code: string): Principal {
    const pass = findPass(shelf.read(), 'link', code)
    if (!pass) throw new ParleyError('link_spent')
    return named(pass.name)
  }

  /** A name that has a token gets a new one and stays who it was, unless told otherwise. */
  async function create({
    name,
    role,
    conversation,
    lifeMs,
  }: Wanted): Promise<{ secret: string; principal: Principal }> {
    const secret = newSecret()
    let principal: Principal = { name, role: role ?? 'human', conversation }
    await shelf.change((entries) => {
      const before = entries.filter(isToken).find((token) => token.name === name)
      principal = { name, role: role ?? before?.role ?? 'human', conversation: conversation ?? before?.conversation }
      const expires_at = lifeMs === undefined ? undefined : timeAfter(lifeMs)
      const token: Token = { kind: 'token', ...principal, hash: hashOf(secret), created_at: timeAfter(0), expires_at }
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
    mustBePerson(named(name))
    const code = newSecret()
    await shelf.change((entries) => [...fresh(entries), pass('link', name, code, LINK_LIFE_MS)])
    return code
  }

  /** The secret of a new cookie; the code is used up. */
  async function trade(code: string): Promise<string> {
    const secret = newSecret()
    await shelf.change((entries) => {
      const used = findPass(entries, 'link', code)
      if (!used) throw new ParleyError('link_spent')
      const { name } = named(used.name)
      return [...fresh(entries).filter((entry) => entry !== used), pass('cookie', name, secret, COOKIE_LIFE_MS)]
    })
    return secret
  }

  async function forget(secret: string) {
    const pass = findPass(shelf.read(), 'cookie', secret)
    if (pass) await shelf.change((entries) => fresh(entries).filter(({ hash }) => hash !== pass.hash))
  }

  function named(name: string): Principal {
    const token = list().find((token) => token.name === name)
    if (!token) throw new ParleyError('unknown_principal', { name })
    return usable(token)
  }

  function usable({ name, role, conversation, expires_at, revoked_at }: Token): Principal {
    if (revoked_at) throw new ParleyError('token_revoked', { name })
    if (expires_at && isPast(expires_at))
      throw new ParleyError('token_expired', { name, date: expires_at.slice(0, 10) })
    return { name, role, conversation }
  }

  function findPass(entries: TokenEntry[], kind: Pass['kind'], secret: string): Pass | undefined {
    const wanted = hashOf(secret)
    return entries
      .filter((entry) => !isToken(entry))
      .find((pass) => pass.kind === kind && pass.hash === wanted && !isPast(pass.expires_at))
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

export function hashOf(secret: string): string {
  return hash('sha256', secret)
}

function newSecret(): string {
  return `parley_${randomBytes(32).toString('base64url')}`
}

function isToken(entry: TokenEntry): entry is Token {
  return entry.kind === 'token'
}
