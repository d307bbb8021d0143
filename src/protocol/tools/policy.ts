import * as z from 'zod/mini'
import { Decision } from './gateway.ts'

/** How many rules count now, and why the file is not used as it is; the last good one is then. */
export const PolicyNews = z.object({ rules: z.number(), problem: z.optional(z.string()) })
export type PolicyNews = z.infer<typeof PolicyNews>

/** How often it decided, and when last, in milliseconds since 1970. */
const decidedSoOften = { count: z.optional(z.number()), last: z.optional(z.number()) }

/** `identity` is the same wherever the rule stands in its file. */
export const ShownRule = z.object({
  id: z.string(),
  identity: z.string(),
  line: z.number(),
  decision: Decision,
  shown: z.string(),
  off: z.optional(z.boolean()),
  /** The person who always allowed this, the day and the place; absent where the rule was written by hand. */
  by: z.optional(z.string()),
  on: z.optional(z.string()),
  conversation: z.optional(z.string()),
  /** Whoever is shown it made it, and may take it back. */
  mine: z.optional(z.boolean()),
  ...decidedSoOften,
})
export type ShownRule = z.infer<typeof ShownRule>

/** A tool that is always allowed to one agent in one conversation. `since` names the entry that allowed it. */
export const ShownGrant = z.object({
  since: z.string(),
  conversation: z.string(),
  title: z.string(),
  tool_name: z.string(),
  agent: z.optional(z.string()),
  folder: z.optional(z.string()),
  by: z.string(),
  /** The time, in milliseconds since 1970. */
  at: z.number(),
  ...decidedSoOften,
})
export type ShownGrant = z.infer<typeof ShownGrant>

/** The rules that count now; `shown` says in one line what each is for. */
export const ShownPolicy = z.object({
  /** The policy file; absent where nothing is kept. */
  path: z.optional(z.string()),
  rules: z.array(ShownRule),
  problem: z.optional(z.string()),
  /** Whether who is shown them may switch them. */
  manageable: z.optional(z.boolean()),
})
export type ShownPolicy = z.infer<typeof ShownPolicy>

/** How people see and change what is decided without them; `by` is who does. */
export interface PolicyManaging {
  show(): ShownPolicy
  grants(): Promise<ShownGrant[]>
  switchRule(identity: string, on: boolean, by: string): Promise<void>
  takeBackRule(identity: string, by: string): Promise<void>
  takeBackGrant(since: string, by: string): Promise<void>
}

/** What doors tell of the policy. */
export interface PolicySeen {
  news(): PolicyNews
  show(): ShownPolicy
  /** Tells each change from now on. */
  follow(tell: (news: PolicyNews) => void): { close(): void }
}
