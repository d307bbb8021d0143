import {
  type BlobResourceContents,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type TextResourceContents,
} from '@modelcontextprotocol/server'
import { ParleyError } from '../protocol/errors.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Visit } from './visit.ts'

/** Asks that a subscription be kept for this principal, across sessions and restarts. */
export const PINNED = 'parley/pinned'

export interface Resources {
  list: { uri: string; name: string; title: string; description: string }[]
  templates: { uriTemplate: string; name: string; title: string; description: string; mimeType?: string }[]
  /** Throws `unknown_resource`. */
  read(uri: string, principal: Principal): Promise<TextResourceContents | BlobResourceContents>
  /** Throws like `read`, without reading. */
  check(uri: string, principal: Principal): void
  /** Calls back for every change this principal may see, whatever it subscribed to, until it is closed. */
  onChange(principal: Principal, changed: Changed): { close(): void }
  pins: Pins
}

export type Changed = (uri: string, params: Record<string, unknown>) => void

export interface Pins {
  of(principal: Principal): Promise<string[]>
  add(principal: Principal, uri: string): Promise<void>
  remove(principal: Principal, uri: string): Promise<void>
}

export const JSON_MIME = 'application/json'

/** Resources on one server, for whoever visits it. */
export function serveResources(server: Server, resources: Resources, visit: Pick<Visit, 'principal' | 'tells'>) {
  const { principal, tells } = visit
  server.registerCapabilities({ resources: { subscribe: true } })
  server.setRequestHandler('resources/list', async () => ({
    resources: resources.list.map((resource) => ({ ...resource, mimeType: JSON_MIME })),
  }))
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: resources.templates,
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    return { contents: [await asProtocol(uri, () => resources.read(uri, principal))] }
  })
  if (tells) serveSubscriptions(server, resources, principal, tells)
}

/** A server that lives as long as its client keeps that client's subscriptions, pinned ones from the start. */
function serveSubscriptions(
  server: Server,
  resources: Resources,
  principal: Principal,
  tells: 'subscribed' | 'everything',
) {
  const subscribed = new Set<string>()
  let open = true
  let following = tells === 'everything' ? resources.onChange(principal, tell) : undefined
  const pinned = resources.pins.of(principal).then((uris) => {
    for (const uri of uris) subscribe(uri)
    return new Set(uris)
  })
  // Who subscribes or unsubscribes is told why the pins cannot be read; others have lost nothing but notifications.
  pinned.catch(() => {})
  server.setRequestHandler('resources/subscribe', async ({ params: { uri, _meta } }) => {
    await asProtocol(uri, async () => resources.check(uri, principal))
    if (_meta?.[PINNED] === true) {
      await resources.pins.add(principal, uri)
      ;(await pinned).add(uri)
    }
    subscribe(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri, _meta } }) => {
    const pins = await pinned
    if (pins.has(uri)) {
      if (_meta?.[PINNED] !== true)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, new ParleyError('pinned').message)
      await resources.pins.remove(principal, uri)
      pins.delete(uri)
    }
    subscribed.delete(uri)
    return {}
  })
  const closed = server.onclose
  server.onclose = () => {
    open = false
    following?.close()
    closed?.()
  }

  /** The pins may be known only when the client is gone already. */
  function subscribe(uri: string) {
    if (!open) return
    subscribed.add(uri)
    following ??= resources.onChange(principal, tell)
  }

  function tell(uri: string, params: Record<string, unknown>) {
    if (tells === 'subscribed' && !subscribed.has(uri)) return
    // Who cannot be told reads what was missed later; nothing depends on a notification.
    server.notification({ method: 'notifications/resources/updated', params: { uri, ...params } }).catch(() => {})
  }
}

async function asProtocol<Result>(uri: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    if (error.code === 'unknown_resource') throw new ResourceNotFoundError(uri, error.message)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
  }
}
