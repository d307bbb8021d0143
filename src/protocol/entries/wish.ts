import * as z from 'zod/mini'
import { Name } from '../text/text.ts'

export const DELIVERIES = ['next', 'steer'] as const
/** `next`: what is said during a turn waits for the next one; `steer`: it goes into the turn, where the agent can. */
export const Delivery = z.enum(DELIVERIES, 'must be next or steer')
export type Delivery = z.infer<typeof Delivery>

/** What a person can want of how a conversation is driven: who drives it, in which mode, with which model. */
export const wish = {
  runner: z.optional(Name),
  mode: z.optional(Name),
  model: z.optional(Name),
  delivery: z.optional(Delivery),
}

/** What was said there before somebody drove it waits, and is for this runner, too. */
export const waiting = { waiting: z.optional(z.literal(true)) }
