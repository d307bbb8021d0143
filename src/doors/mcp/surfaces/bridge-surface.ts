import * as z from 'zod/mini'
import type { AgentSession, Putting } from '../../../chat/delivery/agent-session.ts'
import type { Attachment } from '../../../protocol/entries/attachment.ts'
import { EntryId, QuickReplies } from '../../../protocol/entries/entry.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { Text } from '../../../protocol/text/text.ts'
import { AGENT_SERVER, instructionsOf } from '../introduction.ts'
import type { Page } from '../page.ts'
import { type Caller, type Surface, type Tool, tool } from '../surface.ts'
import { type AgentFiles, type Handed, HandedFiles, handOut, spoken } from '../tools/enclosures.ts'
import { withHeartbeat } from '../tools/heartbeat.ts'
import { Meanwhile, meanwhile, unfinished, WHILE_WAITING } from '../tools/meanwhile.ts'
import { patienceMs } from '../tools/patience.ts'

const SendMessage = z.object({
  text: Text.check(z.describe('What to say or ask, in Markdown. Never empty, at most 1 MiB.')),
  quick_replies: z.optional(
    QuickReplies.check(z.describe('Up to 12 short replies that the person can tap instead of typing.')),
  ),
  question_id: z.optional(
    EntryId.check(z.describe('Waits again for a question asked before, instead of asking anew.')),
  ),
})

const Reply = z.object({ reply: z.optional(z.string()), attachments: HandedFiles, ...Meanwhile })

const DESCRIPTION = `Sends a message to the person you work for and waits for their reply.

Use it whenever you need a decision, an answer or permission, when you are stuck, and when you have finished and want to know what comes next. The person reads it in a browser, maybe minutes later; the call returns when they reply, so make the message complete in itself. Markdown is shown. Offer quick_replies when a few answers are likely.

Returns {"reply": "…"}. What the person wrote meanwhile comes as "earlier_messages", oldest first; one with "in_reply_to" is the late reply to that earlier question. Read them before you go on. Files come beside the text and as "attachments", with a path. ${WHILE_WAITING}`

/** The parts that the tools of an agent need. */
export interface AgentSurfaceParts {
  /** `asking` is what it is going to ask, if anything. */
  sessionOf(caller: Caller, asking?: Putting[]): Promise<AgentSession>
  /** Without it, files are only named. */
  files?(): Promise<AgentFiles>
  /** Without it, nobody is told where the page is. */
  page?(): Page
  heartbeatMs?: number
  /** A call that waits comes back after this long; otherwise what is known of its client decides. */
  maxWaitSeconds?: number
}

/** The documented bridge: one tool that blocks until the person has replied. */
export function bridgeSurface(parts: AgentSurfaceParts): Surface {
  return {
    name: AGENT_SERVER,
    instructions: instructionsOf('bridge', parts.page),
    tools: [sendMessage(parts)],
  }
}

/** What the tool takes beyond the documented parameters, where a surface has more. */
interface MoreInput {
  shape: Record<string, z.ZodMiniType>
  /** The attachments of the question that come of it. */
  keep(input: Record<string, unknown>): Promise<{ attachments?: Attachment[] }> | undefined
}

export function sendMessage(parts: AgentSurfaceParts, more?: MoreInput): Tool {
  const { sessionOf, files, page, maxWaitSeconds } = parts
  return tool({
    name: 'send_message',
    title: 'Send a message and wait for the reply',
    description: DESCRIPTION,
    needs: 'ask',
    input: (more ? z.extend(SendMessage, more.shape) : SendMessage) as typeof SendMessage,
    output: Reply,
    async call({ text, quick_replies, question_id, ...rest }, caller) {
      const keeping = more?.keep(rest)
      const kept = keeping && (await keeping)
      const asked = { by: caller.client, visit: caller.visit, key: caller.callKey, text, quick_replies, ...kept }
      const session = await sessionOf(caller, question_id ? [] : [asked])
      const wait = { signal: caller.signal, waitMs: patienceMs(caller, maxWaitSeconds) }
      const delivery = await withHeartbeat(caller, parts, () =>
        question_id ? session.resume([question_id], wait) : session.ask([asked], wait),
      )
      const handed = await handOut(delivery, caller, files)
      return unfinished(handed, 'send_message', page) ?? replyOf(handed)
    },
  })
}

function replyOf(outcome: Handed): z.output<typeof Reply> {
  const [settlement] = outcome.settlements
  if (settlement?.reply === undefined) throw new ParleyError('no_reply', { outcome: settlement?.outcome ?? 'left' })
  const { reply, attachments } = settlement
  return { reply: spoken(reply, attachments), ...(attachments && { attachments }), ...meanwhile(outcome) }
}
