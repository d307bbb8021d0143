import * as z from 'zod/mini'
import { actingFor, type Subscribers } from '../../../chat/inbox/subscriber.ts'
import { parse } from '../../../protocol/parse.ts'
import { LOCAL, type Principal, PrincipalName } from '../../../protocol/principal.ts'
import type { Pins } from './pins.ts'

/**
 * Keys in `_meta`: whether the subscription is kept, whose it is where no token says so, and whether it is a runner's.
 */
export const PINNED = 'parley/pinned'
const SUBSCRIBER = 'parley/subscriber'
/** It answers only where it is chosen, although it listens everywhere. */
const RUNNER = 'parley/runner'

const SubscriptionMeta = z.object({
  [PINNED]: z.optional(z.boolean('must be true or false')),
  [SUBSCRIBER]: z.optional(PrincipalName),
  [RUNNER]: z.optional(z.boolean('must be true or false')),
})

interface SubscriberParts {
  principal: Principal
  pins: Pins
  subscribers: Subscribers
}

/**
 * The owner of the subscriptions of a session, line or stream: its principal, the one it names, or only itself. Pins of
 * nobody with a name last as long as this does.
 */
export function createSubscriber({ principal, pins, subscribers }: SubscriberParts) {
  const own = new Set<string>()
  let stable = named(principal)
  return { subscription, act, pinned, pin, unpin }

  /** What a request asks for. Changes nothing; throws when it may not be asked. */
  function subscription(meta: unknown) {
    const { [PINNED]: isPinned, [SUBSCRIBER]: name, [RUNNER]: isRunner = false } = parse(SubscriptionMeta, meta ?? {})
    return {
      isPinned,
      isRunner,
      subscriber: name === undefined ? (stable ?? principal) : actingFor(principal, name, subscribers),
    }
  }

  /** The pins of this subscriber apply from here on. */
  function act({ subscriber }: { subscriber: Principal }) {
    stable = named(subscriber)
  }

  async function pinned(): Promise<Set<string>> {
    return new Set([...own, ...(stable ? await pins.of(stable) : [])])
  }

  async function pin(uris: string[]) {
    if (stable) return pins.add(stable, uris)
    for (const uri of uris) own.add(uri)
  }

  async function unpin(uris: string[]) {
    for (const uri of uris) own.delete(uri)
    if (stable) await pins.remove(stable, uris)
  }
}

function named(principal: Principal): Principal | undefined {
  return principal.name === LOCAL ? undefined : principal
}
