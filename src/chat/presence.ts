import type { AgentState } from '../protocol/timeline.ts'
import type { Clock } from './clock.ts'

export interface AgentStatus {
  state: AgentState
  /** When it became so. */
  since: number
}

interface PresenceParts {
  clock: Clock
  changed(conversation: string, state: AgentState): void
}

/** Which conversations have an agent, and what it does. Never stored: after a restart the agents show up again. */
export function createPresence({ clock, changed }: PresenceParts) {
  const seats = new Map<string, Set<{ asking: number }>>()
  const since = new Map<string, number>()
  const started = clock.now()
  return { enter, stateOf, statusOf, attached }

  function enter(conversation: string) {
    const seat = { asking: 0 }
    change(() => seats.set(conversation, (seats.get(conversation) ?? new Set()).add(seat)))
    return {
      asks: () => change(() => seat.asking++),
      gotAnswer: () => change(() => seat.asking--),
      leave: () => change(() => remove(conversation, seat)),
    }

    function change(act: () => void) {
      const before = stateOf(conversation)
      act()
      const now = stateOf(conversation)
      if (now === before) return
      since.set(conversation, clock.now())
      changed(conversation, now)
    }
  }

  function stateOf(conversation: string): AgentState {
    const here = seats.get(conversation)
    if (!here) return 'gone'
    return [...here].some((seat) => seat.asking > 0) ? 'waiting' : 'working'
  }

  /** Of one conversation, or of the one in which an agent waits or else works, if there is any. */
  function statusOf(conversation?: string): AgentStatus {
    if (conversation !== undefined) return { state: stateOf(conversation), since: since.get(conversation) ?? started }
    const all = attached().map((id) => statusOf(id))
    const here = all.find(({ state }) => state === 'waiting') ?? all[0]
    return here ?? { state: 'gone', since: Math.max(started, ...since.values()) }
  }

  function attached(): string[] {
    return [...seats.keys()]
  }

  function remove(conversation: string, seat: { asking: number }) {
    const here = seats.get(conversation)
    here?.delete(seat)
    if (here?.size === 0) seats.delete(conversation)
  }
}
