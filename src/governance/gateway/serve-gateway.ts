import { ProtocolError, type Server, type ServerContext, type ServerEvent } from '@modelcontextprotocol/server'
import { ERRORS, type ParleyError } from '../../protocol/errors.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import { isRecord } from '../../protocol/text/record.ts'
import { READ } from '../../protocol/tools/mounted-requests.ts'
import { createHeldCalls } from './calls/held-calls.ts'
import { type Follower, followGoverned } from './following.ts'
import { type ForwardingParts, serveForwarding } from './forwarding.ts'
import type { Gateway } from './gateway.ts'
import type { Change } from './gateway-parts.ts'
import { createListed } from './listed.ts'
import { createLogLevels } from './log-levels.ts'
import { shownUri } from './names.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { Raw } from './upstream/upstream.ts'

export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
}

/** The addresses that show the state of mounts. */
export const MOUNTS = 'ui://gateway/mounts'

type Served = Omit<ForwardingParts, 'gateway' | 'held' | 'client' | 'wantsLog' | 'listed'> & {
  /** The notifications that its client gets, where it stays: what it subscribed to, or everything. */
  tells?: 'subscribed' | 'everything'
}

/** Puts what is mounted on the servers of clients. */
export function createGatewayDoor(gateway: Gateway) {
  const held = createHeldCalls()
  const subscriptions = createSubscriptions(gateway)
  const levels = createLogLevels(gateway)
  return { serve, follow, listening, close }

  function serve(server: Server, { tells, ...parts }: Served) {
    const client = {}
    const wantsLog = (params: Raw) => levels.wants(client, params.level)
    const seen = createListed(gateway)
    serveForwarding(server, { ...parts, gateway, held, client, wantsLog, listed: tells && seen.listed })
    if (!tells) return
    const subscribed = new Set<string>()
    server.setRequestHandler('logging/setLevel', async ({ params }, context) => {
      seen.met(parts.whoAsks(context))
      levels.want(client, params.level)
      return {}
    })
    server.setRequestHandler('resources/subscribe', async ({ params: { uri } }, context) => {
      if (subscribed.has(uri)) return {}
      await follow(uri, context)
      subscribed.add(uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
      if (subscribed.delete(uri)) subscriptions.unfollow(uri)
      return {}
    })
    const following = gateway.onChange((change) => {
      if (isLog(change) && levels.isWanted(client) && wantsLog(change.params) && seen.hears(change.mount))
        tell(change.method, change.params)
      if ('reach' in change)
        for (const list of seen.changed(change.reach)) tell(`notifications/${list}/list_changed`, {})
      for (const event of eventsOf(change)) {
        if (event.kind === 'resource_updated' && !seen.isTold(event.uri)) continue
        if (event.kind !== 'resource_updated') tell(`notifications/${event.kind.replace('_', '/')}`, {})
        else if (tells === 'everything' || subscribed.has(event.uri))
          tell('notifications/resources/updated', { ...event.params, uri: event.uri })
      }
    })
    const before = server.onclose
    server.onclose = () => {
      following.close()
      levels.forget(client)
      for (const uri of subscribed) subscriptions.unfollow(uri)
      before?.()
    }

    async function follow(uri: string, context: ServerContext) {
      const { govern, principal, callerOf, whoAsks } = parts
      seen.met(whoAsks(context))
      const calling = () => callerOf({ name: READ, arguments: { uri } }, context)
      const follower = { govern, principal, calling, signal: context.mcpReq.signal }
      await followGoverned(uri, follower, { gateway, subscriptions }).catch(
        ifRefused(({ code, message }) => {
          throw new ProtocolError(ERRORS[code].rpc, message)
        }),
      )
    }

    /** A client that cannot be told asks when it comes again. */
    function tell(method: string, params: Raw) {
      server.notification({ method, params }).catch(() => {})
    }
  }

  /** Publishes to clients of the 2026 era that come by HTTP. */
  function follow(publish: (event: ServerEvent) => void) {
    return gateway.onChange((change) => {
      // They all hear the same, so that nobody knows whom it concerns.
      const lists = 'reach' in change ? LISTS.map((list) => ({ list })) : [change]
      lists.flatMap(eventsOf).forEach(publish)
    })
  }

  /** What one stream or line of such a client listens to; `followerOf` says who it is, by its request. */
  function listening(followerOf: (message: unknown) => Follower) {
    const streams = new Map<unknown, string[]>()
    return { begin, end, close: () => [...streams.keys()].forEach(end) }

    /** One that it may follow is worth listening to; reading the others says what is wrong with them. */
    async function begin(message: unknown): Promise<{ request: unknown } | { refusal: object }> {
      const { id, params } = message as { id?: unknown; params?: { notifications?: Raw } }
      const { resourceSubscriptions } = params?.notifications ?? {}
      const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions.map(String) : []
      if (uris.length === 0) return { request: message }
      const problems = await Promise.all(uris.map((uri) => problemWith(uri, followerOf(message))))
      const followed = uris.filter((_, n) => !problems[n])
      streams.set(id, followed)
      const [problem] = problems
      if (problem && followed.length === 0)
        return { refusal: { jsonrpc: '2.0', id, error: { code: ERRORS[problem.code].rpc, message: problem.message } } }
      const notifications = { ...params?.notifications, resourceSubscriptions: followed }
      return { request: { ...(message as Raw), params: { ...params, notifications } } }
    }

    async function problemWith(uri: string, follower: Follower): Promise<ParleyError | undefined> {
      return followGoverned(uri, follower, { gateway, subscriptions }).then(
        () => undefined,
        ifRefused((error) => error),
      )
    }

    function end(id: unknown) {
      for (const uri of streams.get(id) ?? []) subscriptions.unfollow(uri)
      streams.delete(id)
    }
  }

  function close() {
    held.close()
    subscriptions.close()
  }
}

function isLog(change: Change): change is Extract<Change, { method: string }> {
  return 'method' in change && change.method === 'notifications/message'
}

const LISTS = ['tools', 'prompts', 'resources'] as const

function eventsOf(change: Change): ServerEvent[] {
  if ('reach' in change) return []
  if ('list' in change) return [{ kind: `${change.list}_list_changed` }]
  if ('problem' in change) return [{ kind: 'resource_updated', uri: MOUNTS }]
  if (!('method' in change))
    return [MOUNTS, `${MOUNTS}/${encodeURIComponent(change.mount)}`].map((uri) => ({ kind: 'resource_updated', uri }))
  const { uri, ...params } = change.params
  if (change.method !== 'notifications/resources/updated' || typeof uri !== 'string') return []
  const { _meta, ...rest } = params
  return [{ kind: 'resource_updated', uri: shownUri(change.mount, uri), params: { ...rest, ...metaOf(_meta) } }]
}

/** The meta without the subscription that only the gateway has. */
function metaOf(meta: unknown): Raw {
  if (!isRecord(meta)) return {}
  const { 'io.modelcontextprotocol/subscriptionId': _, ...rest } = meta
  return Object.keys(rest).length === 0 ? {} : { _meta: rest }
}
