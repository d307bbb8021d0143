import type { Entry } from '../../protocol/entries/entry.ts'
import type { AgentSeen, TimelineFrame } from '../../protocol/frames/timeline.ts'
import type { PolicyNews } from '../../protocol/tools/policy.ts'
import { serialiseOnce } from './frames.ts'
import { wireFrame } from './wire.ts'

export const entriesFrame = serialiseOnce((entries: Entry[]) => ({ type: 'entries', entries }) satisfies TimelineFrame)
export const policyFrame = serialiseOnce((news: PolicyNews) => ({ type: 'policy', ...news }) satisfies TimelineFrame)

const agentFrames = new WeakMap<AgentSeen, Buffer>()

/** Of a change that all pages are told: it has a status of its own, which is about no other conversation. */
export function agentFrame(conversation: string, status: AgentSeen): Buffer {
  const known = agentFrames.get(status)
  if (known) return known
  const fresh = wireFrame(JSON.stringify(agentIn(conversation, status)))
  agentFrames.set(status, fresh)
  return fresh
}

export function agentIn(conversation: string, status: AgentSeen): TimelineFrame {
  return { type: 'agent', conversation, ...seenIn(status) }
}

export function seenIn({ state, seen }: AgentSeen): AgentSeen {
  return { state, seen }
}
