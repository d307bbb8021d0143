import * as z from 'zod/mini'
import { LOCAL, PrincipalName, Role } from '../../../protocol/principal.ts'
import { Name } from '../../../protocol/text/text.ts'

const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'))
const Time = z.iso.datetime('must be a time')

/** A principal and the hash of its token. One that was revoked stays, so that its bearer can be told. */
export const Token = z.object({
  kind: z.literal('token'),
  name: PrincipalName,
  role: Role,
  conversation: z.optional(Name),
  hash: Hash,
  /** Absent for a token from the environment. */
  created_at: z.optional(Time),
  expires_at: z.optional(Time),
  revoked_at: z.optional(Time),
})
export type Token = z.infer<typeof Token>

/** The mark that people sign in, the one at the page too, who was let in before. Nobody has a token of theirs. */
const Owner = z.object({ kind: z.literal('owner'), name: z.literal(LOCAL), hash: Hash, created_at: Time })
type Owner = z.infer<typeof Owner>

/**
 * A one-time link or a browser's cookie. It speaks for the principal of its name, for as long as that has the same
 * token.
 */
export const Pass = z.object({
  kind: z.enum(['link', 'cookie']),
  name: Name,
  hash: Hash,
  /** The hash of the token that its principal had. Of one that does not say so nobody knows whether it still counts. */
  token: z.optional(Hash),
  /** The key that the page has to show beside a cookie, and the one that addresses of files need. */
  page_key: z.optional(Hash),
  file_key: z.optional(Hash),
  /** The name of the device whose browser has the cookie. */
  device: z.optional(z.string()),
  created_at: Time,
  expires_at: Time,
})
export type Pass = z.infer<typeof Pass>

export const TokenEntry = z.discriminatedUnion('kind', [Token, Owner, Pass])
export type TokenEntry = z.infer<typeof TokenEntry>

export function isToken(entry: TokenEntry): entry is Token {
  return entry.kind === 'token'
}

export function isOwner(entry: TokenEntry): entry is Owner {
  return entry.kind === 'owner'
}

export function isPass(entry: TokenEntry): entry is Pass {
  return !isToken(entry) && !isOwner(entry)
}

/** A place where entries are kept. */
export interface Shelf {
  /** The same list until something changes. */
  read(): TokenEntry[]
  /** Sees the newest ones, and nobody else changes them meanwhile. */
  change(update: (entries: TokenEntry[]) => TokenEntry[]): Promise<void>
}
