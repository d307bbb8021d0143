import type { Chat } from '../chat/chat.ts'
import { type AgentMessage, BridgeCommand, type BridgeFrame } from '../protocol/bridge.ts'
import { BEFORE_ALL, type Entry } from '../protocol/entry.ts'
import type { ParleyError } from '../protocol/errors.ts'
import { parseFrame } from '../protocol/parse.ts'
import type { Line, Speaker } from './dialect.ts'
import { serialiseOnce } from './frames.ts'

const HISTORY_PAGE = 1000

const frameOf = serialiseOnce(agentMessage)

/** The documented bridge: the whole history on connect, then every message of an agent; replies come as `ack`. */
export function speakBridge({ chat, conversation, by, send, fail }: Line): Speaker {
  let following: { close(): void } | undefined
  let closed = false
  connect().catch(fail)
  return { receive, refuse, close }

  async function connect() {
    const last = await chat.last()
    const shown = conversation === undefined ? await chat.current() : [conversation]
    const entries = await historyOf(chat, shown, last)
    await send(JSON.stringify(connected(entries)))
    if (!closed) following = chat.follow({ conversation, after: last }, { entries: deliver, failed: fail })
  }

  function deliver(entries: Entry[]): void | Promise<void> {
    const sent = entries.filter(({ body }) => body.kind === 'question').map((entry) => send(frameOf(entry)))
    return sent.at(-1)
  }

  async function receive(text: string) {
    const { id, message } = parseFrame(BridgeCommand, text)
    await chat.answer(id, message, by)
  }

  function refuse({ code, message }: ParleyError) {
    send(JSON.stringify({ type: 'error', error: message, code } satisfies BridgeFrame))
  }

  function close() {
    closed = true
    following?.close()
  }
}

/** Pure: the documented first frame. Replies ride along with the messages they answer. */
export function connected(entries: Entry[]): BridgeFrame {
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
      if (message && body.reply !== undefined) message.reply = body.reply
    }
  }
  const [pendingAckId] = open
  return { type: 'connected', history: [...history.values()], pendingAckId }
}

function agentMessage({ id, body }: Entry): AgentMessage {
  if (body.kind !== 'question') throw new Error(`A ${body.kind} is no message of the agent`)
  return { type: 'agentMessage', text: body.text, ack_id: id, quick_replies: body.quick_replies }
}

async function historyOf(chat: Chat, conversations: string[], last: string): Promise<Entry[]> {
  const histories = await Promise.all(conversations.map((conversation) => allOf(chat, conversation, last)))
  return histories.flat().sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function allOf(chat: Chat, conversation: string, last: string): Promise<Entry[]> {
  const all: Entry[] = []
  for (let after = BEFORE_ALL; ; ) {
    const { entries, has_newer } = await chat.page(conversation, { after, limit: HISTORY_PAGE })
    all.push(...entries.filter(({ id }) => id <= last))
    if (!has_newer) return all
    after = entries.at(-1)?.id ?? last
  }
}
