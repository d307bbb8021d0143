import { orUndo } from '../../io/or-undo.ts'
import type { Gateway } from './gateway.ts'
import type { Mount } from './mounts/mount.ts'
import { ownUri } from './names.ts'

export type Subscriptions = ReturnType<typeof createSubscriptions>

interface Followed {
  server: string
  uri: string
  followers: number
  /** Settles when its server has said that it is followed. */
  begun: Promise<void>
  /** Set at a server of the 2026 era. */
  end?(): Promise<void>
}

/** The resources of mounts that somebody follows: each server is asked once, and again when it was lost. */
export function createSubscriptions(gateway: Gateway) {
  const followed = new Map<string, Followed>()
  const told = new Map<string, number>()
  const following = gateway.onChange((change) => {
    if ('mount' in change && !('method' in change)) subscribeAgain(change.mount)
  })
  return { follow, unfollow, close: following.close }

  /** Throws where its server does. What is no mount's needs nothing. */
  async function follow(shown: string) {
    const known = followed.get(shown)
    if (known) {
      known.followers++
      return known.begun
    }
    const own = ownUri(shown)
    const mount = own && mountNamed(own.server)
    if (!own || !mount) return
    const resource: Followed = { ...own, followers: 1, begun: Promise.resolve() }
    followed.set(shown, resource)
    told.set(mount.name, mount.about().since)
    resource.begun = orUndo(
      () => subscribe(mount, resource),
      () => followed.get(shown) === resource && followed.delete(shown),
    )
    return resource.begun
  }

  function unfollow(shown: string) {
    const resource = followed.get(shown)
    if (!resource || --resource.followers > 0) return
    followed.delete(shown)
    // A server that is gone has forgotten it.
    resource.begun.then(() => unsubscribe(resource)).catch(() => {})
  }

  async function unsubscribe({ server, uri, end }: Followed) {
    if (end) await end()
    else await mountNamed(server)?.request('resources/unsubscribe', { uri }, { client: {} })
  }

  function subscribeAgain(server: string) {
    const mount = mountNamed(server)
    const { state, since } = mount?.about() ?? {}
    if (!mount || state !== 'ready' || since === undefined || told.get(server) === since) return
    told.set(server, since)
    for (const resource of followed.values())
      if (resource.server === server)
        resource.begun = subscribe(mount, resource).catch((error) => mount.log.tell(String(error)))
  }

  async function subscribe(mount: Mount, resource: Followed) {
    const { uri } = resource
    if (mount.isModern()) resource.end = await mount.listen({ resourceSubscriptions: [uri] })
    else await mount.request('resources/subscribe', { uri }, { client: {} })
  }

  function mountNamed(server: string): Mount | undefined {
    return gateway.all().find(({ name }) => name === server)
  }
}
