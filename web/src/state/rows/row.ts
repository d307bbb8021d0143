import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'
import type {
  ApprovalOption,
  Body,
  Decided,
  FileChange,
  Plan,
  Settlement,
} from '../../../../src/protocol/entries/entry.ts'
import type { Grant } from '../../../../src/protocol/entries/fold.ts'
import type { Growing } from './partials.svelte.ts'

/** The fields of every row. */
export interface Base {
  key: string
  /** Undefined for what the log does not have yet. */
  id: string | undefined
  at: number
  /** Begins this day. */
  day?: number
  /** The first that is new to the person, who was here last at this time. */
  fresh?: number
  /** How long the agent worked until it ended its turn, or asked, with this. */
  worked?: number
}

/** A row of an entry, and so with its id. */
export interface Logged extends Base {
  id: string
}

/** `accepted`: durable in the hub; `delivered`: handed to the agent; `read`: the agent proved that it has it. */
export type DeliveryState = 'sending' | 'accepted' | 'delivered' | 'read'

export interface Bubble extends Base {
  kind: 'bubble'
  side: 'agent' | 'person'
  by: string
  /** The person to name beside the words; nobody when it was said here, or by anyone at this machine. */
  who?: string
  text: string
  /** Markdown when absent. */
  mime?: string
  attachments?: Attachment[]
  /** Whether the same side said the row above just before, so that this one needs no name of its own. */
  continued: boolean
  open?: boolean
  reference?: { id: string; text: string | undefined }
  /** Tells the agent to stop. */
  stop?: true
  delivery?: DeliveryState
  /** Its words are not the first ones any more, or there are none. */
  revised?: 'changed' | 'taken_back'
  /** It can be changed or taken back; an agent that has it already is told of that. */
  revisable?: true
  /** It tells the agent of a change of what it refers to. */
  change?: true
  /** It is for the turn after the one that runs. */
  waits?: true
  /** It is still being written, and there is no other text of it. */
  growing?: Growing
  /** It was said before the conversation began, in what that goes on from. */
  earlier?: true
}

export type TurnEnd = Extract<Body, { kind: 'turn' }>

export interface Note extends Base {
  kind: 'note'
  text: string
  tone?: 'bad' | 'faint' | 'progress'
  /** How a turn ended and what it took, if that is told. */
  turn?: TurnEnd
}

/** A call and its result in one row, which keeps the place and the key of the call. */
export interface Tool extends Logged {
  kind: 'tool'
  name: string
  /** The call in the agent's own words. */
  title?: string
  /** The files that it is about. */
  locations?: { path: string; line?: number }[]
  /** Undefined when only the result is known, because its call is on an older page or was never told. */
  args: string | undefined
  result: string | undefined
  /**
   * `waiting`: for the person to allow it; `lost`: the agent ended its turn without saying what came of it; `gone`: it left before it did; `open`: it may
   * still say it and is not seen to be at it; `permitted`: all that is known of it is that it was always allowed, and by
   * whom or which rule; `denied`: it was never done.
   */
  state: 'running' | 'waiting' | 'done' | 'failed' | 'lost' | 'gone' | 'open' | 'permitted' | 'denied'
  who?: string
  /** The mounted server that it is of. */
  server?: string
  /** The rule or person that let it through or stopped it. */
  decided?: Decided
  /** The number of secrets in it that are not shown, and the entry of those that can be; whether it is only the beginning. */
  masked?: number
  cut?: true
  revealable?: string
  /** All of a result that is too large for an entry. */
  attachments?: Attachment[]
  /** It was allowed after its call had ended. */
  late?: true
  duration_ms?: number
  /** The time of its result. */
  endedAt?: number
  changes?: FileChange[]
  /** The output while it runs. */
  output?: Growing
}

export interface Thought extends Logged {
  kind: 'thought'
  text: string
}

/** A thought that has not come to its end. */
export interface Musing extends Base {
  kind: 'musing'
  growing: Growing
}

/** The agent's plan: one row for each turn, in the place of the first, as the last one says it. */
export interface PlanRecord extends Logged {
  kind: 'plan'
  plan: Plan['steps']
  /** The turn has ended, whatever is left to do. */
  over?: true
}

/** How a call that wants a verdict stands. */
export interface Standing {
  state: 'waiting' | 'allowed' | 'changed' | 'permitted' | 'ruled' | 'denied' | 'expired' | 'withdrawn' | 'answered'
  /** The tool is allowed from now on, here or for whom `scope` says; `grant` as long as that holds here. */
  always?: boolean
  scope?: Settlement['scope']
  grant?: Grant
  /** The identity of the rule that was made of it. */
  rule?: string
  /** The label of the agent's own option that was taken. */
  option?: string
  /** The verdict has not reached the hub yet. */
  sending?: boolean
  who?: string
  /** The arguments as the person changed them. */
  changed?: string
  reason?: string
  /** It was withdrawn because its agent is gone. */
  gone?: true
}

/** One row from the question to its end, in the place and under the key of the question. */
export interface ApprovalRecord extends Base, Standing {
  kind: 'approval'
  by: string
  text: string
  tool: string
  /** The call in the agent's own words. */
  title?: string
  call_id?: string
  input: string
  options?: ApprovalOption[]
  changes?: FileChange[]
  /** The mounted server that it is of. */
  server?: string
  /** The number of secrets in the arguments that are not shown, and the entry of those that can be; whether it is only the beginning. */
  masked?: number
  cut?: true
  revealable?: string
  /** The call itself, as far as it is told: it has no row of its own. */
  call?: Tool
}

/** One question of an exchange, and what became of it. */
export interface Asked {
  id: string
  text: string
  attachments?: Attachment[]
  open: boolean
  answer?: { text: string; attachments?: Attachment[]; who?: string }
  /** How it ended without an answer. */
  ended?: string
}

/** The questions of one call with their answers, in one row: in the place of the first, under the name of the exchange. */
export interface Exchange extends Logged {
  kind: 'exchange'
  by: string
  asked: Asked[]
  /** How far the answer came that came least far. */
  delivery?: DeliveryState
}

export type Step = Tool | Thought

/** Steps of an agent without a word between, in one row that opens; the key is that of the first step. */
export interface Steps extends Logged {
  kind: 'steps'
  steps: Step[]
}

/** Shows that the agent is at work; what it thought is a `Thought`. */
interface Thinking extends Base {
  kind: 'thinking'
}

export type EntryRow = Bubble | Note | Tool | Thought | Musing | PlanRecord | ApprovalRecord | Exchange
export type Row = EntryRow | Steps | Thinking

/** Whether it takes more than words to draw it. */
export function isMoreThanWords(row: Row): boolean {
  return row.kind !== 'bubble' || row.attachments !== undefined || row.growing !== undefined
}
