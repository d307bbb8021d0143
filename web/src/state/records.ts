import type { Question, Settlement } from '../../../src/protocol/entry.ts'
import type { Note } from './rows.ts'

/** What a person decides about a call that wants to be allowed; `input` only where they changed the arguments. */
export type Verdict = { type: 'allow'; input?: string } | { type: 'deny'; reason?: string }

interface Base {
  key: string
  id: string | undefined
  at: number
  day?: number
  fresh?: number
}

/** How a call that wants a verdict stands. */
export interface Standing {
  state: 'waiting' | 'allowed' | 'changed' | 'denied' | 'expired' | 'withdrawn' | 'answered'
  /** The verdict has not reached the hub yet. */
  sending?: boolean
  who?: string
  /** The arguments as the person changed them. */
  changed?: string
  reason?: string
}

/** One row from the question to its end, in the place and under the key of the question. */
export interface ApprovalRecord extends Base, Standing {
  kind: 'approval'
  by: string
  text: string
  tool: string
  input: string
}

/** Whom the hub calls everyone on this machine while it has no tokens. */
const ANYONE = 'person'

/** Is told the entries in order, because a verdict has to find its question. `mine`: the keys of this page's commands. */
export function createRecords(mine: ReadonlySet<string>) {
  const records = new Map<string, ApprovalRecord>()
  return { asked, settled, deciding, whoElse }

  function asked(base: Base & { id: string }, { by, text, approval }: Question): ApprovalRecord | undefined {
    if (!approval) return undefined
    const { tool_name: tool, input } = approval
    const record: ApprovalRecord = { kind: 'approval', ...base, by, text, tool, input, state: 'waiting' }
    records.set(base.id, record)
    return record
  }

  function settled(base: Base, settlement: Settlement): Note | undefined {
    return put(settlement.question, base, standingOf(settlement, mine.has(base.key)))
  }

  function deciding(base: Base, question: string, verdict: Verdict): Note | undefined {
    // Someone else was first, and the hub is about to say so.
    if ((records.get(question)?.state ?? 'waiting') !== 'waiting') return undefined
    const standing = { sending: base.id === undefined, who: 'you' }
    if (verdict.type === 'deny') return put(question, base, { ...standing, state: 'denied', reason: verdict.reason })
    const { input } = verdict
    return put(question, base, { ...standing, state: input === undefined ? 'allowed' : 'changed', changed: input })
  }

  /** A row of its own only when there is no record of the question, or its page is not loaded. */
  function put(question: string, base: Base, standing: Standing): Note | undefined {
    const record = records.get(question)
    if (record) Object.assign(record, standing)
    return record ? undefined : { kind: 'note', ...base, text: endOf(standing) }
  }

  function whoElse(by: string, key: string): string | undefined {
    return mine.has(key) ? undefined : nameOf(by)
  }
}

/** For whoever was about to answer here. */
export function endedElsewhere(settlement: Settlement): string {
  const standing = standingOf(settlement, false)
  const { state, who, reason } = standing
  if (state === 'expired' || state === 'withdrawn' || who) return endOf(standing)
  return reason ? `${STATES[state]} elsewhere: ${reason}` : `${STATES[state]} elsewhere`
}

function standingOf({ outcome, by, input, reason }: Settlement, mine: boolean): Standing {
  const state = outcome === 'approved' ? (input === undefined ? 'allowed' : 'changed') : outcome
  return { state, sending: false, who: mine ? 'you' : nameOf(by), changed: input, reason }
}

const STATES = {
  waiting: 'Waiting for you',
  allowed: 'Allowed once',
  changed: 'Allowed with changes',
  denied: 'Denied',
  expired: 'Expired without an answer',
  withdrawn: 'Withdrawn',
  answered: 'Answered',
}

/** The state in a few words, and by whom where that is known. */
export function stateOf({ state, who }: Standing): string {
  const decided = state !== 'waiting' && state !== 'expired' && state !== 'withdrawn'
  return decided && who ? `${STATES[state]} by ${who}` : STATES[state]
}

/** The same as a sentence that stands alone. */
function endOf(standing: Standing): string {
  if (standing.state === 'expired') return 'The question expired without an answer'
  if (standing.state === 'withdrawn') return 'The question was withdrawn'
  return standing.reason ? `${stateOf(standing)}: ${standing.reason}` : stateOf(standing)
}

/** Undefined when it could have been anyone, here or on another device. */
function nameOf(by: string): string | undefined {
  return by === ANYONE ? undefined : by
}
