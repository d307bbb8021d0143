import * as z from 'zod/mini'
import type { EarlierMessage } from '../chat/seat.ts'

const Said = z.object({ text: z.string(), at: z.string(), in_reply_to: z.optional(z.string()) })
export const SaidList = z.array(Said)

/** What the person said while nobody listened rides along with every answer to an agent, under this name. */
export const EarlierMessages = { earlier_messages: z.optional(SaidList) }

export function withEarlier(earlier: EarlierMessage[]): { earlier_messages?: z.output<typeof SaidList> } {
  return earlier.length > 0 ? { earlier_messages: shown(earlier) } : {}
}

export function shown(messages: EarlierMessage[]): z.output<typeof SaidList> {
  return messages.map(({ text, at, in_reply_to }) => ({ text, at: new Date(at).toISOString(), in_reply_to }))
}
