import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { type Chat, createChat } from '../../src/chat/chat.ts'
import type { ChatServiceParts } from '../../src/chat/chat-service.ts'
import { filesOf } from '../../src/chat/conversation/attached-hashes.ts'
import type { Asking } from '../../src/chat/delivery/agent-service.ts'
import type { AgentSession } from '../../src/chat/delivery/agent-session.ts'
import type { Delivery } from '../../src/chat/delivery/deliveries.ts'
import { ALL_BACK_MS } from '../../src/chat/delivery/visits.ts'
import type { View } from '../../src/chat/view.ts'
import type { Log } from '../../src/log/views.ts'
import type { Body, Entry } from '../../src/protocol/entries/entry.ts'
import { storedBody } from '../../src/protocol/entries/stored.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { createTurns } from './eventually.ts'
import { fakeClock } from './fake-clock.ts'

/** Waits for as long as it takes. */
export const forever = { signal: new AbortController().signal }

export function newLog(how: { appendsReadable?: boolean } = {}): Log {
  return openMemoryLog({ ...how, readBody: storedBody, namesIn: (body) => filesOf(body as Body) })
}

/** A chat over a real log, as somebody sees it who may do everything. */
export function openTestChat({ log = newLog(), ...parts }: Partial<ChatServiceParts> & { log?: Log } = {}) {
  const problems: unknown[] = []
  const report = (error: unknown) => problems.push(error)
  const chat = createChat({ journal: log, views: log, notes: log.notes, report, failed: report, ...parts })
  onTestFinished(() => chat.close())
  return { chat, log, problems, view: chat.as(localPrincipal('admin')) }
}

/** The same, of a hub that is there for so long that every agent of the one before has found it. */
export function openSettledChat(parts: { log?: Log } = {}) {
  const clock = fakeClock(Date.now())
  const chat = openTestChat({ ...parts, clock })
  clock.advance(ALL_BACK_MS)
  return chat
}

/** What somebody sees of a chat who is there under a name. */
export function person(chat: Chat, name: string): View {
  return chat.as({ id: name, name, role: 'human' })
}

/** Asks without waiting. The same words, while they are open, are the same question; approvals are always another. */
export async function ask(view: View, question: Omit<Asking, 'key'>, conversation = 'work'): Promise<string> {
  const asking = { ...question, key: randomUUID() }
  const asked = await view.agentService().ask(conversation, [asking], { title: conversation })
  return 'questions' in asked ? (asked.questions[0] ?? '') : ''
}

/** The session of an agent that everything reaches. */
export function reached(session: AgentSession): AgentSession {
  return {
    ...session,
    ask: (...args) => arrival(session.ask(...args)),
    resume: (...args) => arrival(session.resume(...args)),
    messages: () => arrival(session.messages()),
    tell: (...args) => arrival(session.tell(...args)),
  }
}

async function arrival(delivery: Promise<Delivery>): Promise<Delivery> {
  const brought = await delivery
  brought.arrived()
  return brought
}

/** Answers questions as they come, by their text. */
export function answering(view: View, reply: (text: string) => string | undefined, conversation = 'work') {
  return view.follow(
    { conversation, after: '0'.repeat(16) },
    {
      async entries(entries: Entry[]) {
        for (const { id, body } of entries) {
          const answer = body.kind === 'question' ? reply(body.text) : undefined
          if (answer !== undefined) await view.answer(id, answer)
        }
      },
      failed(error) {
        throw error
      },
    },
  )
}

/** The newest question that is open, once there is one. */
export async function nextQuestion(view: View, conversation = 'work'): Promise<string> {
  for (const turn = createTurns(); ; await turn()) {
    const open = (await view.conversation(conversation)).open.at(-1)
    if (open) return open.id
  }
}

/** Looks no longer than its test takes. */
export async function until(reached: () => boolean | Promise<boolean>) {
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  const turn = createTurns()
  while (!isOver && !(await reached())) await turn()
}
