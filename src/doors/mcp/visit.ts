import { hash, randomUUID } from 'node:crypto'
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server'
import { conversationOfRun } from '../../chat/conversation/conversation-name.ts'
import { STATELESS, visitOfRequest, visitOfRun } from '../../protocol/entries/agent.ts'
import { type Home, LOCAL, type Principal } from '../../protocol/principal.ts'
import { Name } from '../../protocol/text/text.ts'
import type { RequestContext } from '../http/request-context.ts'
import type { PlaceOf } from './place.ts'
import type { ServerParts, Surface } from './surface.ts'
import type { Visiting } from './visiting.ts'

/** One client at an endpoint: for one request, or for as long as its session or its connection lives. */
export interface Visit {
  principal: Principal
  request?: Request
  /** The place of each call of a line. */
  placeOf?: PlaceOf
  /** Knows that a line's agents are there, over all its connections. */
  visiting?: Visiting
  /** A call that waits comes back after this long, where its line says so. */
  maxWaitSeconds?: number
  /** The surface its agent talks with at the gateway, where it is driven. */
  driven?: Surface
  session?(): string
  /**
   * The notifications that it gets: what it subscribed to, or everything where the transport keeps its subscriptions.
   * Nothing when it is there for one request.
   */
  tells?: 'subscribed' | 'everything'
  /**
   * Calls back when its client begins or ceases to hear what it is told. Absent where it does as long as it is there.
   */
  attends?(changed: (attending: boolean) => void): void
  /** How the answers to its calls leave, and what is known of its requests. */
  calls?: Pick<ServerParts, 'wayOf' | 'leaves' | 'repeatOf' | 'isCutOff' | 'offers'>
}

/** The caller and the way of the answer, as the SDK hands them on with each request. */
export function authInfoFor(principal: Principal, requestContext: RequestContext): AuthInfo {
  return { token: '', clientId: principal.name, scopes: [], extra: { principal, requestContext } }
}

export function principalIn(authInfo: AuthInfo | undefined): Principal {
  return authInfo?.extra?.principal as Principal
}

export function requestContextIn({ http }: Pick<ServerContext, 'http'>): RequestContext {
  return http?.authInfo?.extra?.requestContext as RequestContext
}

/** Facts told when a visit begins, in the order in which they count. The first one there is decides. */
interface Told {
  principal: Principal
  /** `PARLEY_SESSION`, or `?session=`. */
  named?: string
  run?: string
  /** The name for a conversation of a run. */
  title: string
}

/** The one rule for where a visit speaks that was told something; nothing where it was not. */
export function namedHome({ principal, named, run, title }: Told): Home | undefined {
  const conversation = principal.conversation ?? named
  if (conversation !== undefined) return { conversation, isNamed: true }
  return run === undefined ? undefined : { conversation: conversationOfRun(title, run), isNamed: true, title }
}

export function runVisit(run: string): string {
  return visitOfRun(markOf(run))
}

/** The mark of a line or an MCP session: entries keep it, and whoever knew its name would be taken for it. [S176] */
export function markOf(name: string): string {
  return hash('sha256', name, 'base64url').slice(0, 22)
}

/**
 * The place of a caller over HTTP. `own`: an agent that was told nothing has a conversation of its own, named after its
 * client. Nothing tells two clients of one name apart whose requests come one by one; they share that one, and neither
 * is taken for the other.
 */
export function placeOverHttp({ principal, request, session }: Visit, { own }: { own: boolean }): PlaceOf {
  const named = sessionNamedIn(request)
  const requested = visitOfRequest(randomUUID())
  return ({ client, run }) => {
    const told = namedHome({ principal, named, run, title: client })
    const id = session?.()
    // A token of its own tells an agent apart, too.
    const apart = id ?? (principal.name === LOCAL ? undefined : principal.id)
    const visit = run !== undefined ? runVisit(run) : id ? markOf(id) : told || apart ? STATELESS : requested
    const conversation = apart === undefined ? client : conversationOfRun(client, apart)
    return { home: told ?? (own ? { conversation, isNamed: false, title: client } : undefined), folder: '', visit }
  }
}

/**
 * The principal for resources, which know no runs: its home is where its visit speaks, if that was said when it began.
 */
export function atHome({ principal, request }: Visit): Principal {
  if (principal.home) return principal
  return { ...principal, home: namedHome({ principal, named: sessionNamedIn(request), title: '' }) }
}

export function sessionNamedIn(request: Request | undefined): string | undefined {
  return Name.safeParse(request && new URL(request.url).searchParams.get('session')).data
}
