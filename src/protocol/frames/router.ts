import * as z from 'zod/mini'
import { EntryId, Settlement } from '../entries/entry.ts'
import { Text } from '../text/text.ts'

export const ROUTER = 'router'

export const RouterCommand = z.object({ type: z.literal('user_response'), id: EntryId, answer: Text })
export type RouterCommand = z.infer<typeof RouterCommand>

export const RouterFrame = z.discriminatedUnion('type', [
  z.object({ id: z.string(), type: z.literal('ask_user'), question: z.string() }),
  /** It was answered, here or elsewhere. */
  z.object({ id: z.string(), type: z.literal('user_response'), answer: z.string() }),
  /** It needs no answer any more. */
  z.object({ id: z.string(), type: z.literal('question_closed'), outcome: Settlement.shape.outcome }),
])
export type RouterFrame = z.infer<typeof RouterFrame>
