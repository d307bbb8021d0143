import * as z from 'zod/mini'
import { PrincipalName, Role } from '../protocol/principal.ts'
import { Name } from '../protocol/text.ts'

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

/** A one-time link or a browser's cookie. It speaks for the principal of its name, as that is at the time. */
export const Pass = z.object({
  kind: z.enum(['link', 'cookie']),
  name: Name,
  hash: Hash,
  created_at: Time,
  expires_at: Time,
})
export type Pass = z.infer<typeof Pass>

export const TokenEntry = z.discriminatedUnion('kind', [Token, Pass])
export type TokenEntry = z.infer<typeof TokenEntry>

export function isToken(entry: TokenEntry): entry is Token {
  return entry.kind === 'token'
}

export function isPass(entry: TokenEntry): entry is Pass {
  return !isToken(entry)
}

/** Where entries are kept. */
export interface Shelf {
  /** The same list until something changes. */
  read(): TokenEntry[]
  /** Sees the newest ones, and nobody else changes them meanwhile. */
  change(update: (entries: TokenEntry[]) => TokenEntry[]): Promise<void>
}
