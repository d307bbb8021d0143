import { offeredFor } from '../chat/verdict.ts'
import { inWords } from '../protocol/attachment.ts'
import { type AgentMessage, BridgeCommand, type Connected } from '../protocol/bridge.ts'
import type { Entry } from '../protocol/entry.ts'
import { eventDialect } from './event-dialect.ts'
import { serialiseOnce } from './frames.ts'
import { questionInWords } from './question-in-words.ts'

const agentMessageFrame = serialiseOnce(agentMessage)

/** The documented bridge: the whole history on connect, then every message of an agent; replies come as `ack`. */
export const bridge = eventDialect({
  type: 'ack',
  command: BridgeCommand,
  perform: ({ id, message }, { view }) => view.answer(id, message),
  frameOf: (entry) => (entry.body.kind === 'question' ? agentMessageFrame(entry) : undefined),
  greeting: ({ history }) => [connected(history)],
  wantsHistory: true,
})

/** The documented first frame. Replies ride along with the messages they answer. */
function connected(entries: Entry[]): Connected {
  const history = new Map<string, AgentMessage>()
  const open = new Set<string>()
  for (const entry of entries) {
    const { body } = entry
    if (body.kind === 'question') {
      history.set(entry.id, agentMessage(entry))
      open.add(entry.id)
    }
    if (body.kind === 'settlement') {
      open.delete(body.question)
      const message = history.get(body.question)
      if (message && body.reply !== undefined) message.reply = inWords(body.reply, body.attachments)
    }
  }
  const [pendingAckId] = open
  return { type: 'connected', history: [...history.values()], pendingAckId }
}

function agentMessage({ id, body }: Entry): AgentMessage {
  if (body.kind !== 'question') throw new Error(`A ${body.kind} is no message of the agent`)
  const { quick_replies, options, approval } = body
  const offered = approval ? offeredFor(approval) : (quick_replies ?? options?.map(({ label }) => label))
  return {
    type: 'agentMessage',
    text: questionInWords(body),
    ack_id: id,
    quick_replies: offered,
  }
}
