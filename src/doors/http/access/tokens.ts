import { randomBytes } from 'node:crypto'
import { ParleyError } from '../../../protocol/errors.ts'
import { fileKeyIn } from '../../../protocol/frames/page-key.ts'
import { LOCAL, mustBeAble, type Principal, type Role, rolesThatCan } from '../../../protocol/principal.ts'
import { createDevices } from './devices/devices.ts'
import { createTokenEdition, hashOf, type ShownKey, type TokenEdition } from './token-edition.ts'
import { isOwner, isPass, isToken, type Pass, type Shelf, type Token, type TokenEntry } from './token-entry.ts'

export type Tokens = ReturnType<typeof createTokens>

interface TokensParts {
  shelf: Shelf
  /** Tokens from the environment count besides those on the shelf, and are never put there. */
  given: Token[]
  now?: () => number
}

export interface NewToken {
  name: string
  role?: Role
  conversation?: string
  lifeMs?: number
}

interface NewPass {
  name: string
  secret: string
  lifeMs: number
}

export const COOKIE_LIFE_MS = 30 * 24 * 60 * 60_000
const LINK_LIFE_MS = 10 * 60_000

/** The callers that are let in, and how that changes. */
export function createTokens({ shelf, given, now = Date.now }: TokensParts) {
  let newest = createTokenEdition({ given, entries: [], now })
  return {
    exist,
    list,
    edition,
    firstPerson,
    ofToken: (secret: string) => edition().ofToken(secret),
    ofCookie: (secret: string, key: ShownKey) => edition().ofCookie(secret, key),
    ofLink: (code: string) => edition().ofLink(code),
    protect,
    unprotect,
    create,
    revoke,
    link,
    trade,
    forget,
    devices: createDevices({ edition, shelf }),
  }

  /** True also when all are revoked or expired: a hub that was closed does not open by itself. */
  function exist(): boolean {
    return edition().isProtected
  }

  function list(): Token[] {
    return edition().tokens
  }

  /** The same one as long as everybody is who they were. */
  function edition(): TokenEdition {
    return editionOf(shelf.read())
  }

  /** Editions are made once for each change, not for each of the many look-ups. */
  function editionOf(entries: TokenEntry[]): TokenEdition {
    if (!newest.holds(entries)) newest = createTokenEdition({ given, entries, now })
    return newest
  }

  /** The first person that a browser can be signed in as. */
  function firstPerson(): string | undefined {
    if (edition().owner) return LOCAL
    const usable = list().filter(({ expires_at, revoked_at }) => !revoked_at && !(expires_at && isPast(expires_at)))
    return usable.find(({ role }) => rolesThatCan('speak').includes(role))?.name
  }

  /** Makes people sign in from now on. Answers whether they did not have to before. */
  async function protect(): Promise<boolean> {
    if (edition().owner) return false
    const owner = { kind: 'owner', name: LOCAL, hash: hashOf(newSecret()), created_at: timeAfter(0) } as const
    await shelf.change((entries) => (entries.some(isOwner) ? entries : [...fresh(entries), owner]))
    return true
  }

  /** Undoes it: the owner's sign-ins end, and tokens stay. Answers whether there was anything to undo. */
  async function unprotect(): Promise<boolean> {
    if (!edition().owner) return false
    await shelf.change((entries) => fresh(entries).filter(({ name }) => name !== LOCAL))
    return true
  }

  /**
   * A name that has a token gets a new one and stays who it was, unless told otherwise; its browsers are signed out.
   */
  async function create({ name, lifeMs, ...wanted }: NewToken): Promise<{ secret: string; principal: Principal }> {
    const secret = newSecret()
    let principal: Principal = { id: name, name, role: 'human' }
    await shelf.change((entries) => {
      const before = entries.filter(isToken).find((token) => token.name === name)
      const role = wanted.role ?? before?.role ?? 'human'
      principal = { id: name, name, role, conversation: wanted.conversation ?? before?.conversation }
      const expires_at = lifeMs === undefined ? undefined : timeAfter(lifeMs)
      const { id: _, ...kept } = principal
      const token: Token = { kind: 'token', ...kept, hash: hashOf(secret), created_at: timeAfter(0), expires_at }
      return [...fresh(entries).filter((entry) => entry !== before && !(isPass(entry) && entry.name === name)), token]
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
    await shelf.change((entries) => [
      ...fresh(entries),
      pass('link', editionOf(entries), { name, secret: code, lifeMs: LINK_LIFE_MS }),
    ])
    return code
  }

  /** The secret of a new cookie, and of the page that has it; the code is used up. */
  async function trade(code: string, device?: string): Promise<{ cookie: string; pageKey: string }> {
    const [cookie, pageKey] = [newSecret(), newSecret()]
    const keys = { page_key: hashOf(pageKey), file_key: hashOf(fileKeyIn(pageKey)) }
    await shelf.change((entries) => {
      const edition = editionOf(entries)
      const used = edition.link(code)
      const { name } = edition.named(used.name)
      const signedIn = { ...pass('cookie', edition, { name, secret: cookie, lifeMs: COOKIE_LIFE_MS }), ...keys, device }
      return [...fresh(entries).filter((entry) => entry !== used), signedIn]
    })
    return { cookie, pageKey }
  }

  async function forget(secret: string, key: ShownKey) {
    const pass = edition().cookie(secret, key)
    if (pass) await shelf.change((entries) => fresh(entries).filter(({ hash }) => hash !== pass.hash))
  }

  function pass(kind: Pass['kind'], { issueOf }: TokenEdition, { name, secret, lifeMs }: NewPass): Pass {
    const times = { created_at: timeAfter(0), expires_at: timeAfter(lifeMs) }
    return { kind, name, token: issueOf(name), hash: hashOf(secret), ...times }
  }

  /** Links and cookies that are over need not be kept; tokens are, so that their bearers can be told. */
  function fresh(entries: TokenEntry[]): TokenEntry[] {
    return entries.filter((entry) => !isPass(entry) || !isPast(entry.expires_at))
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
