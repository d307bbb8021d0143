import { ParleyError } from '../protocol/errors.ts'
import { LOCAL, type Principal, type Role } from '../protocol/principal.ts'
import { cookieIn } from './cookie.ts'
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
  return { principalOf, ofLink: tokens.ofLink, trade: tokens.trade, forget: tokens.forget }

  /** Without any token, whoever is on this machine is whom the place expects. */
  function principalOf({ authorization, cookie }: Credentials, localRole: Role): Principal {
    if (loopback && !tokens.exist()) return { name: LOCAL, role: localRole }
    const bearer = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]
    if (bearer !== undefined) return tokens.ofToken(bearer)
    const secret = cookieIn(cookie)
    if (secret !== undefined) return tokens.ofCookie(secret)
    throw new ParleyError('token_needed')
  }
}
