import type { CallLimit, Decision } from '../../protocol/tools/gateway.ts'

export const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
export type Hint = (typeof HINTS)[number]

export const SIGNS = ['<', '<=', '>', '>='] as const
export type Sign = (typeof SIGNS)[number]

/** The condition for one argument. */
export type Condition =
  | { is: 'text'; glob: string }
  | { is: 'path'; glob: string }
  /** The words that it begins with. */
  | { is: 'command'; words: string[] }
  | { is: 'value'; value: number | boolean | null }
  | { is: 'compared'; sign: Sign; to: number }
  | { is: 'there'; there: boolean }
  | { is: 'not'; one: Condition }
  | { is: 'any'; of: Condition[] }
  | { is: 'all'; of: Condition[] }

/** A step for each of what is there, in the place of a name. */
export const EACH = null

/** `shown`: the condition as it stands in the file. */
export interface ArgumentRule {
  name: string
  steps: (string | typeof EACH)[]
  wanted: Condition
  shown: string
}

/** A span from a minute of the day up to another one, over midnight where it is smaller. */
export interface Span {
  from: number
  to: number
  shown: string
}

/** One rule of a policy; what it does not name is not looked at. */
export interface Rule {
  id: string
  line: number
  decision: Decision
  /** How long a person has, in milliseconds; then it is denied. */
  deadline?: number
  /** The most it lets through. */
  limit?: CallLimit
  /** It decides nothing while this is so. */
  off?: boolean
  server?: string[]
  tool?: string[]
  principal?: string[]
  agent?: string[]
  /** Empty for an agent that nothing proves to work in one. */
  folder?: string[]
  conversation?: string[]
  annotations?: [hint: Hint, is: boolean][]
  time?: Span[]
  arguments?: ArgumentRule[]
  /** Only calls that run no command. */
  command?: false
  /** The reason for the agent, and for people. */
  reason?: string
  note?: string
}
