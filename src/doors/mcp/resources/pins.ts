import type { View } from '../../../chat/view.ts'
import type { Principal } from '../../../protocol/principal.ts'

export type Pins = ReturnType<typeof openPins>

const NOTE = 'pins'

/** Pinned subscriptions of each principal: stored, so that they outlive sessions and restarts. */
export function openPins({ viewOf }: { viewOf(principal: Principal): View }) {
  const known = new Map<string, Promise<string[]>>()
  return { of, add, remove }

  function of(principal: Principal): Promise<string[]> {
    return known.get(principal.id) ?? know(principal, read(principal))
  }

  async function add(principal: Principal, uris: string[]) {
    await change(principal, (pins) => [...new Set([...pins, ...uris])])
  }

  async function remove(principal: Principal, uris: string[]) {
    await change(principal, (pins) => pins.filter((pin) => !uris.includes(pin)))
  }

  /** One after the other: each goes on from what the one before has stored. */
  function change(principal: Principal, changed: (pins: string[]) => string[]): Promise<string[]> {
    return know(
      principal,
      of(principal).then(async (before) => {
        const pins = changed(before)
        if (pins.length !== before.length) await viewOf(principal).notes.put(NOTE, pins)
        return pins
      }),
    )
  }

  async function read(principal: Principal): Promise<string[]> {
    return ((await viewOf(principal).notes.get(NOTE)) ?? []) as string[]
  }

  function know({ id }: Principal, pins: Promise<string[]>): Promise<string[]> {
    known.set(id, pins)
    // What could not be read or stored for once is read again.
    pins.catch(() => known.get(id) === pins && known.delete(id))
    return pins
  }
}
