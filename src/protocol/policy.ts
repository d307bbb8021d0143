import * as z from 'zod/mini'
import { Decision } from './gateway.ts'

/** How many rules count now, and why the file is not used as it is; the last good one is then. */
export const PolicyNews = z.object({ rules: z.number(), problem: z.optional(z.string()) })
export type PolicyNews = z.infer<typeof PolicyNews>

/** The rules that count now; `shown` says in one line what each is for. */
export const ShownPolicy = z.object({
  /** Where they stand; absent where nothing is kept. */
  path: z.optional(z.string()),
  rules: z.array(z.object({ id: z.string(), line: z.number(), decision: Decision, shown: z.string() })),
  problem: z.optional(z.string()),
})
export type ShownPolicy = z.infer<typeof ShownPolicy>

/** What doors tell of the policy. */
export interface PolicySeen {
  news(): PolicyNews
  show(): ShownPolicy
  /** Tells each change from now on. */
  follow(tell: (news: PolicyNews) => void): { close(): void }
}
