import { ParleyError } from '../protocol/errors.ts'
import { localPrincipal, type Principal, type Role } from '../protocol/principal.ts'
import { cookieIn } from './cookie.ts'
import type { TokenEdition } from './token-edition.ts'
import type { Tokens } from './tokens.ts'

export type Access = ReturnType<typeof createAccess>

export interface AccessParts {
  tokens: Tokens
  /** Only this machine can reach the hub, so that it may do without tokens. */
  loopback: boolean
}

/** The headers that say who calls. */
export interface Credentials {
  authorization?: string
  cookie?: string
}

/** Who calls: by bearer token, by cookie, or by being here. */
export function createAccess({ tokens, loopback }: AccessParts) {
  const { edition, ofLink, trade, forget } = tokens
  return { principalOf, principalIn, asksForTokens, edition, ofLink, trade, forget }

  /** Not where nobody can say whether there are any: then nobody is let in for having one. */
  function asksForTokens(): boolean {
    try {
      return tokens.exist()
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error
      return false
    }
  }

  function principalOf(credentials: Credentials, localRole: Role): Principal {
    return principalIn(edition(), credentials, localRole)
  }

  /** Without any token, whoever is on this machine is whom the place expects. */
  function principalIn(edition: TokenEdition, { authorization, cookie }: Credentials, localRole: Role): Principal {
    if (loopback && edition.tokens.length === 0) return localPrincipal(localRole)
    const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (bearer !== undefined) return edition.ofToken(bearer)
    const secret = cookieIn(cookie)
    if (secret !== undefined) return edition.ofCookie(secret)
    throw new ParleyError('token_needed')
  }
}
