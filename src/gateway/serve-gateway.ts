import type { Server, ServerEvent } from '@modelcontextprotocol/server'
import { isRecord } from '../protocol/record.ts'
import { type ForwardingParts, serveForwarding } from './forwarding.ts'
import type { Change, Gateway } from './gateway.ts'
import { createHeldCalls } from './held-calls.ts'
import { createLogLevels } from './log-levels.ts'
import { shownUri } from './names.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { Raw } from './upstream.ts'

export const CAPABILITIES = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
}

/** The addresses that show the state of mounts. */
export const MOUNTS = 'ui://gateway/mounts'

export type Served = Omit<ForwardingParts, 'gateway' | 'held' | 'client' | 'wantsLog'> & {
  /** What its client is told of by itself, where it stays: what it subscribed to, or everything. */
  tells?: 'subscribed' | 'everything'
}

export type GatewayDoor = ReturnType<typeof createGatewayDoor>

/** Puts what is mounted on the servers of clients. */
export function createGatewayDoor(gateway: Gateway) {
  const held = createHeldCalls()
  const subscriptions = createSubscriptions(gateway)
  const levels = createLogLevels(gateway)
  return { serve, follow, listening, close }

  function serve(server: Server, { tells, ...parts }: Served) {
    const client = {}
    const wantsLog = (params: Raw) => levels.wants(client, params.level)
    serveForwarding(server, { ...parts, gateway, held, client, wantsLog })
    if (!tells) return
    const subscribed = new Set<string>()
    server.setRequestHandler('logging/setLevel', async ({ params }) => {
      levels.want(client, params.level)
      return {}
    })
    server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
      if (subscribed.has(uri)) return {}
      await subscriptions.follow(uri)
      subscribed.add(uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
      if (subscribed.delete(uri)) subscriptions.unfollow(uri)
      return {}
    })
    const following = gateway.onChange((change) => {
      if (isLog(change) && levels.isWanted(client) && wantsLog(change.params)) tell(change.method, change.params)
      for (const event of eventsOf(change)) {
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

    /** Who cannot be told asks when it comes again. */
    function tell(method: string, params: Raw) {
      server.notification({ method, params }).catch(() => {})
    }
  }

  /** For clients of the 2026 era that come by HTTP. */
  function follow(publish: (event: ServerEvent) => void) {
    return gateway.onChange((change) => eventsOf(change).forEach(publish))
  }

  /** What one stream or line of such a client listens to. */
  function listening() {
    const streams = new Map<unknown, string[]>()
    return { begin, end, close: () => [...streams.keys()].forEach(end) }

    async function begin(message: unknown): Promise<{ request: unknown }> {
      const { id, params } = message as { id?: unknown; params?: { notifications?: Raw } }
      const { resourceSubscriptions } = params?.notifications ?? {}
      const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions.map(String) : []
      await Promise.all(uris.map((uri) => subscriptions.follow(uri)))
      streams.set(id, uris)
      return { request: message }
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

function eventsOf(change: Change): ServerEvent[] {
  if ('list' in change) return [{ kind: `${change.list}_list_changed` }]
  if ('problem' in change) return [{ kind: 'resource_updated', uri: MOUNTS }]
  if (!('method' in change))
    return [MOUNTS, `${MOUNTS}/${encodeURIComponent(change.mount)}`].map((uri) => ({ kind: 'resource_updated', uri }))
  const { uri, ...params } = change.params
  if (change.method !== 'notifications/resources/updated' || typeof uri !== 'string') return []
  const { _meta, ...rest } = params
  return [{ kind: 'resource_updated', uri: shownUri(change.mount, uri), params: { ...rest, ...metaOf(_meta) } }]
}

/** Without the subscription that only the gateway has. */
function metaOf(meta: unknown): Raw {
  if (!isRecord(meta)) return {}
  const { 'io.modelcontextprotocol/subscriptionId': _, ...rest } = meta
  return Object.keys(rest).length === 0 ? {} : { _meta: rest }
}
