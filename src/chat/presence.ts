import type { AgentState } from '../protocol/timeline.ts'
import type { Clock } from './clock.ts'

export type Presence = ReturnType<typeof createPresence>

/** An agent that is there, for as long as it is. */
export interface Present {
  asks(): void
  gotAnswer(): void
  leave(): void
}

export interface AgentStatus {
  state: AgentState
  /** When it became so. */
  since: number
  /** Where it is, when not asked of one conversation. */
  conversation?: string
}

interface PresenceParts {
  clock: Clock
  hasOpenQuestion(conversation: string): boolean
  changed(conversation: string, state: AgentState): void
}

/** Which conversations have an agent, and what it does. Never stored: after a restart the agents show up again. */
export function createPresence({ clock, hasOpenQuestion, changed }: PresenceParts) {
  const seats = new Map<string, Set<{ asking: number }>>()
  const known = new Map<string, AgentStatus>()
  const started = clock.now()
  return { enter, look, stateOf, statusOf, present }

  function enter(conversation: string): Present {
    const seat = { asking: 0 }
    known.set(conversation, statusOf(conversation))
    seats.set(conversation, (seats.get(conversation) ?? new Set()).add(seat))
    look(conversation)
    return {
      asks: () => {
        seat.asking++
        look(conversation)
      },
      gotAnswer: () => {
        seat.asking--
        look(conversation)
      },
      leave: () => {
        remove(conversation, seat)
        look(conversation)
      },
    }
  }

  /** Tells everyone if the state is another than it was. */
  function look(conversation: string) {
    const before = known.get(conversation)
    const state = stateOf(conversation)
    if (before === undefined || before.state === state) return
    known.set(conversation, { state, since: clock.now() })
    changed(conversation, state)
  }

  function stateOf(conversation: string): AgentState {
    const here = seats.get(conversation)
    if (!here) return 'gone'
    // Not yet while it only asks: a call that is always allowed is answered without anybody.
    if (!hasOpenQuestion(conversation)) return 'working'
    return [...here].some((seat) => seat.asking > 0) ? 'waiting' : 'backgrounded'
  }

  /** Of one conversation, or of the one in which an agent waits or else works, if there is any. */
  function statusOf(conversation?: string): AgentStatus {
    if (conversation !== undefined) return known.get(conversation) ?? { state: 'gone', since: started }
    const all = present().map((id) => ({ ...statusOf(id), conversation: id }))
    const here = all.find(({ state }) => state === 'waiting') ?? all[0]
    const lastSeen = Math.max(started, ...[...known.values()].map(({ since }) => since))
    return here ?? { state: 'gone', since: lastSeen }
  }

  /** The conversations that have an agent. */
  function present(): string[] {
    return [...seats.keys()]
  }

  function remove(conversation: string, seat: { asking: number }) {
    const here = seats.get(conversation)
    here?.delete(seat)
    if (here?.size === 0) seats.delete(conversation)
  }
}
