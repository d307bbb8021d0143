import type { View } from '../chat/view.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Pins } from './resources.ts'

const MEMO = 'pins'

/** Pinned subscriptions of each principal: stored, so that they outlive sessions and restarts. */
export function openPins({ viewOf }: { viewOf(principal: Principal): View }): Pins {
  const known = new Map<string, Promise<string[]>>()
  return { of, add, remove }

  async function of(principal: Principal): Promise<string[]> {
    const pins =
      known.get(principal.id) ??
      viewOf(principal)
        .memo.get(MEMO)
        .then((pins) => (pins ?? []) as string[])
    known.set(principal.id, pins)
    // What could not be read for once is read again.
    pins.catch(() => known.delete(principal.id))
    return pins
  }

  async function add(principal: Principal, uri: string) {
    await put(principal, [...new Set([...(await of(principal)), uri])])
  }

  async function remove(principal: Principal, uri: string) {
    await put(
      principal,
      (await of(principal)).filter((pinned) => pinned !== uri),
    )
  }

  async function put(principal: Principal, pins: string[]) {
    known.set(principal.id, Promise.resolve(pins))
    await viewOf(principal).memo.put(MEMO, pins)
  }
}
