import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createChat } from '../src/chat/chat.ts'
import { openSqliteLog } from '../src/log/sqlite/sqlite-log.ts'
import type { Receipt } from '../src/protocol/entries/entry.ts'
import { storedBody } from '../src/protocol/entries/stored.ts'
import { localPrincipal } from '../src/protocol/principal.ts'
import { inFlight } from './in-flight.ts'
import { CONVERSATION, textOf } from './texts.ts'

const AT_ONCE = 256
// As many agents as may talk in one conversation, each with one reply that it has not yet proven to have.
const TALKING = 24
const CONVERSATIONS_AT_ONCE = 20

/** Talks as agents and people do, through the real chat: half of the messages ask, the other half answers. */
export async function prefill(data: string, messages: number): Promise<void> {
  const chat = await openChat(data)
  let left = messages / 2 - 1
  const unread = await Promise.all(Array.from({ length: Math.min(TALKING, left) }, talk))
  // As after real talk, only the last reply is not yet known to have been read.
  await exchange(unread.flat())
  await chat.close()

  async function talk(): Promise<string[]> {
    let unread: string[] = []
    while (left > 0) unread = await exchange(unread)
    return unread
  }

  async function exchange(read: string[]): Promise<string[]> {
    const text = textOf(left--)
    const receipt: Receipt | undefined = read.length > 0 ? { kind: 'receipt', state: 'read', replies: read } : undefined
    const question = await chat.ask(CONVERSATION, text, receipt)
    const reply = await chat.view.answer(question, text)
    return [reply.id]
  }
}

/** What a person said and nobody answered. */
export async function prefillPosts(data: string, posts: number): Promise<void> {
  const chat = await openChat(data)
  await inFlight(posts, AT_ONCE * 8, (n) => chat.view.say(CONVERSATION, { text: textOf(n) }))
  await chat.close()
}

/** Many conversations, each with so many short messages of both sides. */
export async function prefillConversations(data: string, conversations: number, entries: number): Promise<void> {
  const chat = await openChat(data)
  await inFlight(conversations, CONVERSATIONS_AT_ONCE, (n) =>
    inFlight(entries, entries, (place) =>
      place % 2 === 0
        ? chat.view.say(`conversation-${n}`, { text: `Step ${place}` })
        : chat.view.tell(`conversation-${n}`, { by: 'bench', text: `Step ${place}` }),
    ),
  )
  await chat.close()
}

/** Questions that were asked and answered, spread over some conversations, whose agents never came back. */
export async function prefillUndelivered(data: string, replies: number, conversations: number): Promise<void> {
  const chat = await openChat(data)
  await inFlight(replies, AT_ONCE, async (n) => {
    const question = await chat.ask(`${CONVERSATION}-${n % conversations}`, textOf(n))
    await chat.view.answer(question, 'Yes')
  })
  await chat.close()
}

async function openChat(data: string) {
  const log = await openSqliteLog(join(data, 'parley.db'), { readBody: storedBody })
  const fail = (error: unknown) => {
    throw error
  }
  const { as, close } = createChat({ journal: log, views: log, notes: log.notes, report: fail, failed: fail })
  const view = as(localPrincipal('admin'))
  const agentService = view.agentService()
  return { view, ask, close }

  async function ask(conversation: string, text: string, read?: Receipt): Promise<string> {
    const asking = { key: randomUUID(), by: 'bench', text }
    const asked = await agentService.ask(conversation, [asking], { title: conversation, read })
    return 'questions' in asked ? (asked.questions[0] ?? '') : ''
  }
}
