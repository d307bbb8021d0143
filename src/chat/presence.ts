import type { AgentState } from '../protocol/timeline.ts'

/** Which conversations have an agent, and what it does. Never stored: after a restart the agents show up again. */
export function createPresence({ changed }: { changed(conversation: string, state: AgentState): void }) {
  const seats = new Map<string, Set<{ asking: number }>>()
  return { enter, stateOf, attached }

  function enter(conversation: string) {
    const seat = { asking: 0 }
    const before = stateOf(conversation)
    seats.set(conversation, (seats.get(conversation) ?? new Set()).add(seat))
    announce(conversation, before)
    return {
      asks: () => change(() => seat.asking++),
      gotAnswer: () => change(() => seat.asking--),
      leave: () => change(() => remove(conversation, seat)),
    }

    function change(act: () => void) {
      const state = stateOf(conversation)
      act()
      announce(conversation, state)
    }
  }

  function stateOf(conversation: string): AgentState {
    const here = seats.get(conversation)
    if (!here) return 'gone'
    return [...here].some((seat) => seat.asking > 0) ? 'waiting' : 'working'
  }

  function attached(): string[] {
    return [...seats.keys()]
  }

  function remove(conversation: string, seat: { asking: number }) {
    const here = seats.get(conversation)
    here?.delete(seat)
    if (here?.size === 0) seats.delete(conversation)
  }

  function announce(conversation: string, before: AgentState) {
    const now = stateOf(conversation)
    if (now !== before) changed(conversation, now)
  }
}
