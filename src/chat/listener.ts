import type { Follower } from '../log/journal.ts'
import type { Entry } from '../protocol/entries/entry.ts'
import type { DrivenNews } from './driving/driving.ts'
import type { Grown } from './driving/partials.ts'
import type { AgentStatus } from './driving/presence.ts'

/** Live entries and what agents do, as the doors see them. */
export interface Listener {
  entries(entries: Entry[]): void | Promise<void>
  agent?(conversation: string, status: AgentStatus): void
  driven?(news: DrivenNews): void
  grown?(grown: Grown): void
  /** Nothing of it is there any more. */
  forgotten?(conversation: string): void
  failed(error: unknown): void
}

/** News of a conversation that is never stored. */
export type Signal =
  | { type: 'agent'; status: AgentStatus }
  | { type: 'driven'; news: DrivenNews }
  | { type: 'grown'; grown: Grown }

export function followerOf(listener: Listener): Follower {
  return {
    entries: listener.entries as Follower['entries'],
    signal: (conversation, signal) => hear(conversation, signal as Signal),
    forgotten: listener.forgotten,
    failed: listener.failed,
  }

  function hear(conversation: string, signal: Signal) {
    if (signal.type === 'agent') listener.agent?.(conversation, signal.status)
    else if (signal.type === 'driven') listener.driven?.(signal.news)
    else listener.grown?.(signal.grown)
  }
}
