import { hash } from 'node:crypto'
import { ParleyError } from '../../../protocol/errors.ts'
import { LOCAL, localPrincipal, type Principal } from '../../../protocol/principal.ts'
import { isOwner, isPass, isToken, type Pass, type Token, type TokenEntry } from './token-entry.ts'

export type TokenEdition = ReturnType<typeof createTokenEdition>

/** What a page shows beside its cookie: all of its key, or what of it may stand in the address of a file. */
export interface ShownKey {
  pageKey?: string
  fileKey?: string
}

interface EditionParts {
  /** Tokens from the environment count besides the entries. */
  given: Token[]
  entries: TokenEntry[]
  now(): number
}

/**
 * The callers that are let in, until something is changed or expires. Only hashes are kept, and everything is found by
 * its hash: the time of a look-up tells nothing about a secret, because nobody can choose a secret by the beginning of
 * its hash.
 */
export function createTokenEdition({ given, entries, now }: EditionParts) {
  const tokens = [...given, ...entries.filter(isToken)]
  const passes = entries.filter(isPass)
  const owner = entries.find(isOwner)
  const tokensByHash = firstsBy('hash', tokens)
  const tokensByName = firstsBy('name', tokens)
  const passesByHash = firstsBy('hash', passes)
  const from = now()
  const until = firstEnd([...tokens, ...passes], from)
  const principals = new Map(tokens.map((token) => [token, principalOf(token)]))
  /** Protected means that being on this machine is not enough. */
  const isProtected = tokens.length > 0 || owner !== undefined
  return { tokens, owner, isProtected, holds, ofToken, ofCookie, ofLink, link, cookie, cookiesOf, named, issueOf }

  /** Nothing is known of a time before: a clock that was set back brings back what had expired. */
  function holds(wanted: TokenEntry[]): boolean {
    const time = now()
    return wanted === entries && time >= from && time < until
  }

  function ofToken(secret: string): Principal {
    const token = tokensByHash.get(hashOf(secret))
    if (!token) throw new ParleyError('token_unknown')
    return usable(token)
  }

  /** A cookie is sent to every port of a host, so that it is worth nothing without the key of its page. */
  function ofCookie(secret: string, key: ShownKey): Principal {
    const pass = cookie(secret, key)
    if (!pass) throw new ParleyError('signed_out')
    return named(pass.name)
  }

  function ofLink(code: string): Principal {
    return named(link(code).name)
  }

  function link(code: string): Pass {
    const pass = passOf('link', code)
    if (!pass) throw new ParleyError('link_spent')
    return pass
  }

  function cookie(secret: string, key: ShownKey): Pass | undefined {
    const pass = passOf('cookie', secret)
    return pass && opens(pass, key) ? pass : undefined
  }

  /** Those that count, the newest first. */
  function cookiesOf(name: string): Pass[] {
    return passes.filter((pass) => pass.kind === 'cookie' && pass.name === name && counts(pass)).toReversed()
  }

  function named(name: string): Principal {
    if (owner && name === LOCAL) return localPrincipal('human')
    const token = tokensByName.get(name)
    if (!token) throw new ParleyError('unknown_principal', { name })
    return usable(token)
  }

  /** The hash of a principal's token: what an earlier token had opened is open no longer. */
  function issueOf(name: string): string | undefined {
    return name === LOCAL ? owner?.hash : tokensByName.get(name)?.hash
  }

  function passOf(kind: Pass['kind'], secret: string): Pass | undefined {
    const pass = passesByHash.get(hashOf(secret))
    return pass?.kind === kind && counts(pass) ? pass : undefined
  }

  function counts({ name, token, expires_at }: Pass): boolean {
    return Date.parse(expires_at) > now() && token !== undefined && token === issueOf(name)
  }

  function usable(token: Token): Principal {
    const { name, expires_at, revoked_at } = token
    if (revoked_at) throw new ParleyError('token_revoked', { name })
    if (expires_at && Date.parse(expires_at) <= now())
      throw new ParleyError('token_expired', { name, date: expires_at.slice(0, 10) })
    return principals.get(token) ?? principalOf(token)
  }
}

function principalOf({ name, role, conversation }: Token): Principal {
  return { id: name, name, role, conversation }
}

function opens({ page_key, file_key }: Pass, { pageKey, fileKey }: ShownKey): boolean {
  if (pageKey !== undefined) return page_key === hashOf(pageKey)
  return fileKey !== undefined && file_key === hashOf(fileKey)
}

export function hashOf(secret: string): string {
  return hash('sha256', secret)
}

/** The first one counts where two have the same key. */
function firstsBy<Key extends string, Entry extends Record<Key, string>>(key: Key, entries: Entry[]) {
  return new Map(entries.toReversed().map((entry) => [entry[key] as string, entry]))
}

function firstEnd(entries: { expires_at?: string }[], from: number): number {
  const ends = entries.map(({ expires_at }) => (expires_at === undefined ? Infinity : Date.parse(expires_at)))
  return ends.reduce((first, end) => (end > from && end < first ? end : first), Infinity)
}
