import {
  type BlobResourceContents,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type TextResourceContents,
} from '@modelcontextprotocol/server'
import type { Drivers } from '../../../chat/driving/drivers.ts'
import type { Subscribers } from '../../../chat/inbox/subscriber.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import type { Principal } from '../../../protocol/principal.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import type { Visit } from '../visit.ts'
import type { Pins } from './pins.ts'
import { createSubscriber } from './subscriber.ts'

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
  subscribers: Subscribers
  drivers: Drivers
}

type Changed = (uri: string, params: Record<string, unknown>) => void

export const JSON_MIME = 'application/json'

/** Resources on one server, for whoever visits it. */
export function serveResources(server: Server, resources: Resources, visit: Visit) {
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
  if (tells === 'everything') tellEverything(server, resources, principal)
  if (tells === 'subscribed') serveSubscriptions(server, resources, visit)
}

/** The transport keeps what its client listens to, and drops the rest. */
function tellEverything(server: Server, resources: Resources, principal: Principal) {
  const following = resources.onChange(principal, (uri, params) => tellUpdated(server, uri, params))
  onClose(server, following.close)
}

/** A server that lives as long as its client keeps that client's subscriptions, pinned ones from the start. */
function serveSubscriptions(server: Server, resources: Resources, { principal, attends }: Visit) {
  const subscribed = new Set<string>()
  const subscriber = createSubscriber({ principal, ...resources })
  const driver = resources.drivers.client(principal)
  let [open, attending, isRunner] = [true, attends === undefined, false]
  let following: { close(): void } | undefined
  attends?.((does) => {
    attending = does
    tellDriver()
  })
  // Subscribing and unsubscribing report why the pins cannot be read; others have lost nothing but notifications.
  subscriber.pinned().then(subscribe, () => {})
  server.setRequestHandler('resources/subscribe', async ({ params: { uri, _meta } }) => {
    await asProtocol(uri, async () => {
      const subscription = subscriber.subscription(_meta)
      resources.check(uri, subscription.subscriber)
      subscriber.act(subscription)
      isRunner ||= subscription.isRunner
      if (subscription.isPinned) await subscriber.pin([uri])
      subscribe([uri, ...(await subscriber.pinned())])
    })
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri, _meta } }) => {
    await asProtocol(uri, async () => {
      const subscription = subscriber.subscription(_meta)
      subscriber.act(subscription)
      if (subscription.isPinned) await subscriber.unpin([uri])
      else if ((await subscriber.pinned()).has(uri)) throw new ParleyError('pinned')
      subscribed.delete(uri)
      tellDriver()
    })
    return {}
  })
  onClose(server, () => {
    open = false
    following?.close()
    tellDriver()
  })

  /** The pins may be known only when the client is gone already. */
  function subscribe(uris: Iterable<string>) {
    if (!open) return
    for (const uri of uris) subscribed.add(uri)
    if (subscribed.size > 0) following ??= resources.onChange(principal, tell)
    tellDriver()
  }

  function tell(uri: string, params: Record<string, unknown>) {
    if (subscribed.has(uri)) tellUpdated(server, uri, params)
  }

  function tellDriver() {
    driver.listensTo(open && attending ? subscribed : [], isRunner)
  }
}

function tellUpdated(server: Server, uri: string, params: Record<string, unknown>) {
  // A client that cannot be reached reads later what it missed; nothing depends on a notification.
  server.notification({ method: 'notifications/resources/updated', params: { uri, ...params } }).catch(() => {})
}

export function onClose(server: Server, act: () => void) {
  const before = server.onclose
  server.onclose = () => {
    act()
    before?.()
  }
}

async function asProtocol<Result>(uri: string, work: () => Promise<Result>): Promise<Result> {
  return work().catch(
    ifRefused(({ code, message }) => {
      if (code === 'unknown_resource') throw new ResourceNotFoundError(uri, message)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    }),
  )
}
