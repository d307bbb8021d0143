import { offeredFor } from '../../chat/approvals/verdict.ts'
import { inWords } from '../../protocol/entries/attachment.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { type AgentMessage, BridgeCommand, type Connected } from '../../protocol/frames/bridge.ts'
import { eventDialect, type Shown } from './event-dialect.ts'
import { serialiseOnce } from './frames.ts'
import { questionInWords } from './question-in-words.ts'

const agentMessageFrame = serialiseOnce(agentMessage)

/** The documented bridge: the whole history on connect, then every message of an agent; replies come as `ack`. */
export const bridge = eventDialect({
  type: 'ack',
  command: BridgeCommand,
  perform: ({ id, message }, { view }) => view.answer(id, message),
  frameOf: (entry) => (entry.body.kind === 'question' ? agentMessageFrame(entry) : undefined),
  greeting: (shown) => [connected(shown)],
  isHistory: ({ body: { kind } }) => kind === 'question' || kind === 'settlement',
})

/** The documented first frame. Replies ride along with the messages they answer. */
function connected({ history: entries, has_older, open }: Shown): Connected {
  const history = new Map<string, AgentMessage>()
  for (const entry of entries) {
    const { body } = entry
    if (body.kind === 'question') history.set(entry.id, agentMessage(entry))
    if (body.kind === 'settlement') {
      const message = history.get(body.question)
      if (message && body.reply !== undefined) message.reply = inWords(body.reply, body.attachments)
    }
  }
  const more = has_older ? { has_older } : {}
  return { type: 'connected', history: [...history.values()], pendingAckId: open[0]?.id, ...more }
}

function agentMessage({ id, body }: Entry): AgentMessage {
  if (body.kind !== 'question') throw new Error(`A ${body.kind} is not a message of the agent`)
  const { quick_replies, options, approval } = body
  const offered = approval ? offeredFor(approval) : (quick_replies ?? options?.map(({ label }) => label))
  return {
    type: 'agentMessage',
    text: questionInWords(body),
    ack_id: id,
    quick_replies: offered,
  }
}
