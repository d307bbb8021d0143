import * as z from 'zod/mini'
import { Name } from '../../text/text.ts'
import { Changes } from './changes.ts'
import { ChoicesPage, wantedChoices } from './choices.ts'

/**
 * What people want to know of a process that drives agents: what was changed in the folder of a conversation that it
 * holds, and what can be chosen there, or with its runner where no conversation is named. Told beside events, to the
 * holder alone; answered with `answer_request`.
 */
export const DrivingRequest = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('changes'),
    id: Name,
    holder: Name,
    session_id: Name,
    /** The only file that is wanted. */
    path: z.optional(z.string()),
  }),
  z.object({
    type: z.literal('choices'),
    id: Name,
    holder: Name,
    session_id: z.optional(Name),
    ...wantedChoices,
  }),
])
export type DrivingRequest = z.infer<typeof DrivingRequest>

/** Nothing at all: it cannot tell. */
export const drivingAnswer = { changes: z.optional(Changes), choices: z.optional(ChoicesPage) }
const DrivingAnswer = z.object(drivingAnswer)
export type DrivingAnswer = z.infer<typeof DrivingAnswer>
