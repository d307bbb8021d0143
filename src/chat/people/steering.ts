import type { Body, Entry } from '../../protocol/entries/entry.ts'
import { revoked } from '../approvals/always.ts'
import type { createAppending } from '../conversation/appending.ts'
import { bodies } from '../conversation/decision.ts'
import { withdrawn } from '../conversation/forgetting.ts'

/** What a person does to a conversation as a whole. */
export function createSteering({ appendToKnown }: Pick<ReturnType<typeof createAppending>, 'appendToKnown'>) {
  return { interrupt, revoke, rename }

  /** Open questions need no answer any longer; the agent is told with its waiting or next call. */
  async function interrupt(conversation: string, words = 'Stop', by: string, key?: string): Promise<Entry> {
    const stop: Body = { kind: 'message', author: 'user', by, text: words, interrupt: true }
    return appendToKnown(conversation, (state) => bodies(...withdrawn(state, by), stop), key)
  }

  /** The tool, which was always allowed there, is asked about again; where `since` names one permission, only of that. */
  async function revoke(conversation: string, tool: string, by: string, key?: string, since?: string): Promise<Entry> {
    const what = { tool_name: tool, ...(since !== undefined && { since }) }
    return appendToKnown(conversation, (state) => bodies(revoked(state, what, by)), key)
  }

  async function rename(conversation: string, title: string, key?: string): Promise<Entry> {
    return appendToKnown(conversation, () => bodies({ kind: 'title', title }), key)
  }
}
