import * as z from 'zod/mini'
import { EntryId } from './entry.ts'
import { Text } from './text.ts'

export const ROUTER = 'router'

export const RouterCommand = z.object({ type: z.literal('user_response'), id: EntryId, answer: Text })
export type RouterCommand = z.infer<typeof RouterCommand>

export const RouterFrame = z.object({ id: z.string(), type: z.literal('ask_user'), question: z.string() })
export type RouterFrame = z.infer<typeof RouterFrame>
