import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import type { Principal } from '../protocol/principal.ts'
import type { Exchange } from './departure.ts'
import type { ServerParts } from './surface.ts'

/** One client at an endpoint: for one request, or for as long as its session or its connection lives. */
export interface Visit {
  principal: Principal
  request?: Request
  /** Where its client speaks and works, where it told so when it came. */
  conversation?: string
  folder?: string
  session?(): string
  /**
   * What it is told of by itself: what it subscribed to, or everything where the transport keeps its subscriptions.
   * Nothing when it is there for one request.
   */
  tells?: 'subscribed' | 'everything'
  /** Calls back when its client begins or ceases to hear what it is told. Absent where it does as long as it is there. */
  attends?(changed: (attending: boolean) => void): void
  /** How the answers to its calls leave, and what is known of its requests. */
  calls?: Pick<ServerParts, 'wayOf' | 'slipsOf' | 'repeatOf'>
}

/** Who asks and how the answer goes, as the SDK hands it on with each request. */
export function authInfoFor(principal: Principal, exchange: Exchange): AuthInfo {
  return { token: '', clientId: principal.name, scopes: [], extra: { principal, exchange } }
}

export function principalIn(authInfo: AuthInfo | undefined): Principal {
  return authInfo?.extra?.principal as Principal
}

export function exchangeIn({ http }: ServerContext): Exchange {
  return http?.authInfo?.extra?.exchange as Exchange
}
