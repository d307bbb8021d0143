import { INVALID_PARAMS, PROTOCOL_VERSION_META_KEY, type RequestId } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { attempt } from '../../../io/attempt.ts'
import type { ParleyError } from '../../../protocol/errors.ts'
import type { Principal } from '../../../protocol/principal.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import type { Resources } from './resources.ts'
import { createSubscriber } from './subscriber.ts'

export const LISTEN = 'subscriptions/listen'

const Listen = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.literal(LISTEN),
  params: z.looseObject({
    _meta: z.looseObject({ [PROTOCOL_VERSION_META_KEY]: z.string() }),
    notifications: z.looseObject({ resourceSubscriptions: z.optional(z.array(z.string())) }),
  }),
})
type Listen = z.infer<typeof Listen>

export type Listening = ReturnType<typeof openListening>

interface ListeningParts {
  principal: Principal
  resources: Resources
}

/**
 * What one line or stream of the 2026 era listens to. The SDK keeps these subscriptions itself: it knows no pins, and
 * would acknowledge any URI, so that a client with a typo would wait for ever.
 */
export function openListening({ principal, resources }: ListeningParts) {
  const subscriber = createSubscriber({ principal, ...resources })
  const driver = resources.drivers.client(principal)
  const streams = new Map<RequestId, string[]>()
  let [closed, isRunner] = [false, false]
  return { begin, end, close }

  /** The request as the SDK shall have it, or the answer that refuses it. */
  async function begin(message: unknown): Promise<{ request: unknown } | { refusal: object }> {
    const { data: listen } = Listen.safeParse(message)
    // Other messages are refused in the SDK's words.
    if (!listen) return { request: message }
    return extended(listen).then(
      (request) => ({ request }),
      ifRefused(({ message }) => ({
        refusal: { jsonrpc: '2.0', id: listen.id, error: { code: INVALID_PARAMS, message } },
      })),
    )
  }

  async function extended(listen: Listen) {
    const { id, params } = listen
    const uris = params.notifications.resourceSubscriptions ?? []
    const subscription = subscriber.subscription(params._meta)
    const problems = uris.map((uri) => problemWith(uri, subscription.subscriber))
    // One that exists is worth listening to; reading the others says what is wrong with them. Pinned are all or none.
    const [problem] =
      subscription.isPinned || !problems.includes(undefined) ? problems.filter((one) => one !== undefined) : []
    if (problem) throw problem
    subscriber.act(subscription)
    isRunner ||= subscription.isRunner
    if (subscription.isPinned === true) await subscriber.pin(uris)
    if (subscription.isPinned === false) await subscriber.unpin(uris)
    const resourceSubscriptions = [...new Set([...uris, ...(await subscriber.pinned())])]
    streams.set(id, resourceSubscriptions)
    tellDriver()
    if (resourceSubscriptions.length === 0) return listen
    return { ...listen, params: { ...params, notifications: { ...params.notifications, resourceSubscriptions } } }
  }

  function problemWith(uri: string, subscriber: Principal): ParleyError | undefined {
    return attempt(
      () => void resources.check(uri, subscriber),
      ifRefused((error) => error),
    )
  }

  function end(id: unknown) {
    if (streams.delete(id as RequestId)) tellDriver()
  }

  /** Ends also what is about to begin. */
  function close() {
    closed = true
    tellDriver()
  }

  function tellDriver() {
    driver.listensTo(closed ? [] : [...streams.values()].flat(), isRunner)
  }
}
