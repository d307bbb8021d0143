import { attempt } from '../../../io/attempt.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { PAGE_KEY_HEADER } from '../../../protocol/frames/page-key.ts'
import { localPrincipal, type Principal, type Role } from '../../../protocol/principal.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import { cookieIn } from './cookie.ts'
import { hashOf, type ShownKey, type TokenEdition } from './token-edition.ts'
import type { Tokens } from './tokens.ts'

export type Access = ReturnType<typeof createAccess>

export interface AccessParts {
  tokens: Tokens
  /** Set when only this machine can reach the hub, so that it may do without tokens. */
  loopback: boolean
}

/** The headers that say who calls. */
export interface Credentials {
  authorization?: string
  cookie?: string
  [PAGE_KEY_HEADER]?: string | string[]
  /** The key from an address that carries no headers. */
  fileKey?: string
}

/** Finds the caller by bearer token, by cookie, or by being on this machine. */
export function createAccess({ tokens, loopback }: AccessParts) {
  const { edition, ofLink, trade, forget, devices } = tokens
  return { principalOf, principalIn, asksForTokens, edition, ofLink, trade, forget, devices }

  /** False where nobody can say whether there are any tokens: then nobody is let in for having one. */
  function asksForTokens(): boolean {
    return attempt(
      tokens.exist,
      ifRefused(() => false),
    )
  }

  function principalOf(credentials: Credentials, localRole: Role): Principal {
    return principalIn(edition(), credentials, localRole)
  }

  /** Without tokens, a caller on this machine has the role that the door expects. */
  function principalIn(edition: TokenEdition, credentials: Credentials, localRole: Role): Principal {
    if (loopback && !edition.isProtected) return localPrincipal(localRole)
    const bearer = bearerIn(credentials)
    if (bearer !== undefined) return edition.ofToken(bearer)
    const secret = cookieIn(credentials.cookie)
    if (secret !== undefined) return edition.ofCookie(secret, keyIn(credentials))
    throw new ParleyError('token_needed')
  }
}

/** One for each token and each browser that is signed in, and nothing that could be shown. */
export function digestOf(credentials: Credentials): string {
  return hashOf(bearerIn(credentials) ?? cookieIn(credentials.cookie) ?? '')
}

export function keyIn({ [PAGE_KEY_HEADER]: pageKey, fileKey }: Credentials): ShownKey {
  return { pageKey: [pageKey].flat()[0], fileKey }
}

function bearerIn({ authorization }: Credentials): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
}
