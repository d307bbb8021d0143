import type { View } from '../../../chat/view.ts'
import type { Principal } from '../../../protocol/principal.ts'

export type Pins = ReturnType<typeof openPins>

const NOTE = 'pins'

/** Pinned subscriptions of each principal: stored, so that they outlive sessions and restarts. */
export function openPins({ viewOf }: { viewOf(principal: Principal): View }) {
  return { of, add, remove }

  async function of(principal: Principal): Promise<string[]> {
    return ((await viewOf(principal).notes.get(NOTE)) ?? []) as string[]
  }

  async function add(principal: Principal, uris: string[]) {
    await change(principal, (pins) => [...new Set([...pins, ...uris])])
  }

  async function remove(principal: Principal, uris: string[]) {
    await change(principal, (pins) => pins.filter((pin) => !uris.includes(pin)))
  }

  async function change(principal: Principal, changed: (pins: string[]) => string[]) {
    await viewOf(principal).notes.change(NOTE, (value) => {
      const before = (value ?? []) as string[]
      const pins = changed(before)
      return pins.length === before.length ? undefined : pins
    })
  }
}
