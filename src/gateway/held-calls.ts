import { randomUUID } from 'node:crypto'
import type { Open } from './rounds.ts'

/** As long as a person may take to answer. */
const HELD_MS = 30 * 60_000

interface Held {
  open: Open
  /** Who called what: nobody else goes on with it. */
  whose: string
  timer: NodeJS.Timeout
}

export type HeldCalls = ReturnType<typeof createHeldCalls>

/** Calls whose clients of the 2026 era come again with what their servers want. */
export function createHeldCalls() {
  const held = new Map<string, Held>()
  return { hold, take, close }

  function hold(open: Open, whose: string): string {
    const state = randomUUID()
    const timer = setTimeout(() => {
      held.delete(state)
      open.drop()
    }, HELD_MS).unref()
    held.set(state, { open, whose, timer })
    return state
  }

  /** Each can be gone on with once. */
  function take(state: unknown, whose: string): Open | undefined {
    const found = typeof state === 'string' ? held.get(state) : undefined
    if (found?.whose !== whose) return undefined
    held.delete(String(state))
    clearTimeout(found.timer)
    return found.open
  }

  function close() {
    for (const { open, timer } of held.values()) {
      clearTimeout(timer)
      open.drop()
    }
    held.clear()
  }
}
