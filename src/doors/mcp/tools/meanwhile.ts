import * as z from 'zod/mini'
import { type Page, unseen } from '../page.ts'
import { type Handed, HandedFiles, spoken } from './enclosures.ts'

const Said = z.object({
  text: z.string(),
  attachments: HandedFiles,
  at: z.string(),
  in_reply_to: z.optional(z.string()),
  /** The text tells of a change of an earlier message, which began so. */
  revises: z.optional(z.string()),
})
export const SaidList = z.array(Said)

/** What an answer to an agent says besides what was asked for: what the person did meanwhile, or has not done yet. */
export const Meanwhile = {
  earlier_messages: z.optional(SaidList),
  status: z.optional(z.enum(['pending', 'interrupted'])),
  question_id: z.optional(z.string()),
  message: z.optional(z.string()),
  next: z.optional(z.string()),
}
type Meanwhile = z.output<z.ZodMiniObject<typeof Meanwhile>>

/** Short enough to go into the description of every tool that waits. */
export const WHILE_WAITING = `{"status": "pending", "question_id"} means nobody replied yet: call again with that question_id to go on waiting. {"status": "interrupted", "message"} means the person wants you to stop: do what the message says.`

/** Every answer carries what the person said while nobody listened. */
export function meanwhile({ interrupted, earlier }: Pick<Handed, 'interrupted' | 'earlier'>): Meanwhile {
  return {
    ...(earlier.length > 0 && { earlier_messages: shown(earlier) }),
    ...(interrupted !== undefined && {
      status: 'interrupted' as const,
      message: interrupted,
      next: 'The person wants you to stop what you are doing. Follow the message, or ask what to do instead.',
    }),
  }
}

/** The whole answer, when the call ends before its questions do. */
export function unfinished(outcome: Handed, tool: string, page?: () => Page): Meanwhile | undefined {
  if (outcome.interrupted !== undefined) return meanwhile(outcome)
  const [question_id, ...others] = outcome.open
  if (question_id === undefined) return undefined
  const then = others.length > 0 ? ` Then do the same for ${others.join(', ')}.` : ''
  const url = unseen(page)
  const where = url ? ` Nobody has the page open: tell the person that they can reply at ${url}.` : ''
  return {
    status: 'pending',
    question_id,
    next: `Nobody has replied yet, and the question stays open. Call ${tool} again with this question_id to go on waiting; do not ask anew.${then}${where}`,
    ...meanwhile(outcome),
  }
}

export function shown(messages: Handed['earlier']): z.output<typeof SaidList> {
  return messages.map(({ text, attachments, at, in_reply_to, revises }) => ({
    text: spoken(text, attachments),
    ...(attachments && { attachments }),
    at: new Date(at).toISOString(),
    in_reply_to,
    revises,
  }))
}
