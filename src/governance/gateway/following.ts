import { orUndo } from '../../io/or-undo.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Govern, MountedCall } from '../../protocol/tools/gateway.ts'
import { FOLLOWING, isFollowing, READ } from '../../protocol/tools/mounted-requests.ts'
import { type Calling, mountedCall, seenBy } from './calls/mounted-call.ts'
import type { Gateway } from './gateway.ts'
import { ownUri } from './names.ts'
import type { Subscriptions } from './subscriptions.ts'

/** A client that wants to follow resources. */
export interface Follower {
  govern: Govern
  /** The id of who calls; throws unless it may call tools. */
  principal(): string
  calling(): Calling
  signal: AbortSignal
}

interface Parts {
  gateway: Gateway
  subscriptions: Subscriptions
}

/** Follows a resource once it is decided that it may be: who may not read one is not told that it changes, either. */
export async function followGoverned(uri: string, follower: Follower, { gateway, subscriptions }: Parts) {
  const own = ownUri(uri)
  // Resources of the gateway itself, or of nobody, need no permission.
  if (!own) return subscriptions.follow(uri)
  const { govern, signal } = follower
  const calling = follower.calling()
  const principal = follower.principal()
  const tool = seenBy(
    { principal, agent: calling.by, folder: calling.folder },
    gateway.catalog.toolAt(own.server, READ),
    gateway,
  )
  if (!tool) throw new ParleyError('unknown_resource', { uri })
  if (tool.mount.about().state === 'starting') await gateway.tried()
  let isFollowed = false
  const call = mountedCall({ gateway, tool, input: { uri: own.uri, ...FOLLOWING }, principal, calling })
  const { uri: allowed } = await govern({ ...call, isRequest: true, signal, run })
  // It was decided while nobody waited for it.
  if (isFollowed) return
  mustBeMeant(allowed)
  await subscriptions.follow(uri)

  async function run(...[input, over]: Parameters<MountedCall['run']>) {
    const follow = () => {
      mustBeMeant(isFollowing(READ, input) ? input.uri : undefined)
      return subscriptions.follow(uri)
    }
    await orUndo(follow, (error) => over({ error }))
    isFollowed = true
    await over({ result: { uri: own?.uri } })
    return { uri: own?.uri }
  }

  /** Its client would not know what it follows instead. */
  function mustBeMeant(allowed: unknown) {
    if (allowed !== own?.uri)
      throw new ParleyError('call_denied', { reason: 'a person allowed something else instead' })
  }
}
