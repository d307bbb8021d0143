import { randomUUID } from 'node:crypto'
import type { Ending } from '../../../protocol/tools/gateway.ts'
import type { Open } from './rounds.ts'

/** The time that a person may take to answer. */
const HELD_MS = 30 * 60_000

/** Hears how a call ended, and is waited for. */
export type Over = (ending: Ending) => unknown

interface Held {
  open: Open
  over?: Over
  /** The caller and the tool: nobody else goes on with it. */
  whose: string
  timer: NodeJS.Timeout
}

export type HeldCalls = ReturnType<typeof createHeldCalls>

/** Calls whose clients of the 2026 era come again with what their servers want. */
export function createHeldCalls() {
  const held = new Map<string, Held>()
  return { hold, take, close }

  function hold(open: Open, whose: string, over?: Over): string {
    const state = randomUUID()
    const timer = setTimeout(() => {
      held.delete(state)
      drop({ open, over })
    }, HELD_MS).unref()
    held.set(state, { open, over, whose, timer })
    return state
  }

  /** Each can be gone on with once. */
  function take(state: unknown, whose: string): Pick<Held, 'open' | 'over'> | undefined {
    const found = typeof state === 'string' ? held.get(state) : undefined
    if (found?.whose !== whose) return undefined
    held.delete(String(state))
    clearTimeout(found.timer)
    return found
  }

  function close() {
    for (const call of held.values()) {
      clearTimeout(call.timer)
      drop(call)
    }
    held.clear()
  }
}

/** Nobody went on with it. */
function drop({ open, over }: Pick<Held, 'open' | 'over'>) {
  open.drop()
  over?.({ error: new Error('The call was cancelled') })
}
