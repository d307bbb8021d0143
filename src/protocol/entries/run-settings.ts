import * as z from 'zod/mini'
import { Name } from '../text/text.ts'

export const DELIVERY_TIMINGS = ['next', 'steer'] as const
/** `next`: what is said during a turn waits for the next one; `steer`: it goes into the turn, where the agent can. */
export const DeliveryTiming = z.enum(DELIVERY_TIMINGS, 'must be next or steer')
export type DeliveryTiming = z.infer<typeof DeliveryTiming>

/** What a person can want of how a conversation is driven: who drives it, in which mode, with which model. */
export const runSettings = {
  runner: z.optional(Name),
  mode: z.optional(Name),
  model: z.optional(Name),
  delivery: z.optional(DeliveryTiming),
}

/** What a new conversation goes on from: a session that the agent had, or another conversation. */
export const beginning = {
  /** The agent's own name for it. */
  resume: z.optional(z.string()),
  from: z.optional(
    z.object({
      conversation: Name,
      /** All that was said there counts, up to this entry and in no turn, so that the agent can fork its own session. */
      whole_to: z.optional(z.string()),
    }),
  ),
}

/** The messages from before somebody drove the conversation are for this runner, too. */
export const waiting = { waiting: z.optional(z.literal(true)) }
