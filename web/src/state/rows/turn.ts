import type { Entry } from '../../../../src/protocol/entries/entry.ts'
import type { Pending } from './rows.ts'

/** Entries that change nothing about whose turn it is. */
const ASIDE: Entry['body']['kind'][] = ['receipt', 'title', 'revocation', 'revision', 'wish', 'unknown']

/** Whether the next word is the agent's: the person had the last one, or the agent is still doing things. */
export function isAgentsTurn(entries: Entry[], pending: Pending[]): boolean {
  if (pending.length > 0) return true
  const last = entries.findLast(({ body: { kind } }) => !ASIDE.includes(kind))?.body
  switch (last?.kind) {
    case 'message':
      return last.author === 'user'
    case 'settlement':
      return last.outcome !== 'expired' && last.outcome !== 'withdrawn'
    case 'permitted_call':
    case 'refused_call':
    case 'tool_call':
    case 'tool_result':
    case 'thinking':
    case 'progress':
    case 'plan':
      return true
    default:
      return false
  }
}
