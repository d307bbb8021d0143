import type { MountOrder } from '../../../protocol/frames/link.ts'
import type { MountState } from '../../../protocol/tools/gateway.ts'
import type { Gateway } from '../gateway.ts'

/** How long the owner waits to hear whether it works. */
const FIRST_TRY_MS = 3000

/** Carries out the owner's order, and answers how it is then. */
export async function carryOut(
  gateway: Gateway,
  { act, name = '', config }: MountOrder,
): Promise<{ mounts: MountState[]; problem?: string } | { lines: string[] } | { address: string }> {
  switch (act) {
    case 'add':
      gateway.add(name, config)
      return { mounts: [await settled(gateway, name)] }
    case 'remove':
      await gateway.remove(name)
      return { mounts: [] }
    case 'pause':
      return { mounts: [gateway.pause(name)] }
    case 'resume':
      gateway.resume(name)
      return { mounts: [await settled(gateway, name)] }
    case 'list':
      return { mounts: gateway.states(), problem: gateway.problem() }
    case 'login':
      // A server says what it wants when it is tried.
      await settled(gateway, name)
      return { address: await gateway.signIns.begin(name) }
    case 'signed_in':
      await gateway.signIns.outcome(name)
      return { mounts: [await settled(gateway, name)] }
    case 'logout':
      gateway.signOut(name)
      return { mounts: [await settled(gateway, name)] }
    case 'logs':
      return { lines: gateway.logs(name) }
  }
}

/** Resolves once it is known whether it works, or a moment has passed. */
function settled(gateway: Gateway, name: string): Promise<MountState> {
  return new Promise((resolve) => {
    const following = gateway.onChange(look)
    const late = setTimeout(done, FIRST_TRY_MS)
    look()

    function look() {
      if (gateway.state(name).state !== 'starting') done()
    }

    function done() {
      clearTimeout(late)
      following.close()
      resolve(gateway.state(name))
    }
  })
}
