import { join } from 'node:path'
import { createChat } from '../src/chat/chat.ts'
import { openSqliteLog } from '../src/log/sqlite-log.ts'
import type { Body } from '../src/protocol/entry.ts'
import { inFlight } from './in-flight.ts'
import { CONVERSATION, textOf } from './texts.ts'

const AT_ONCE = 256
const CONVERSATIONS_AT_ONCE = 20

/** Talks as agents and people do, through the real chat: half of the messages ask, the other half answers. */
export async function prefill(data: string, messages: number): Promise<void> {
  const chat = await openChat(data)
  let left = messages / 2 - 1
  const unread = await Promise.all(Array.from({ length: Math.min(AT_ONCE, left) }, talk))
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
    const receipts: Body[] = read.length > 0 ? [{ kind: 'receipt', state: 'read', replies: read }] : []
    const question = await chat.ask(CONVERSATION, { by: 'bench', text }, { first: () => receipts })
    const reply = await chat.answer(question.id, text, 'person')
    return [reply.id]
  }
}

/** What a person said and nobody answered. */
export async function prefillPosts(data: string, posts: number): Promise<void> {
  const chat = await openChat(data)
  await inFlight(posts, AT_ONCE * 8, (n) => chat.post(CONVERSATION, { author: 'user', by: 'person', text: textOf(n) }))
  await chat.close()
}

/** Many conversations, each with so many short messages of both sides. */
export async function prefillConversations(data: string, conversations: number, entries: number): Promise<void> {
  const chat = await openChat(data)
  await inFlight(conversations, CONVERSATIONS_AT_ONCE, (n) =>
    inFlight(entries, entries, (place) =>
      chat.post(`conversation-${n}`, {
        author: place % 2 === 0 ? 'user' : 'assistant',
        by: 'bench',
        text: `Step ${place}`,
      }),
    ),
  )
  await chat.close()
}

/** Questions that were asked and answered, spread over some conversations, whose agents never came back. */
export async function prefillUndelivered(data: string, replies: number, conversations: number): Promise<void> {
  const chat = await openChat(data)
  await inFlight(replies, AT_ONCE, async (n) => {
    const question = await chat.ask(`${CONVERSATION}-${n % conversations}`, { by: 'bench', text: textOf(n) })
    await chat.answer(question.id, 'Yes', 'person')
  })
  await chat.close()
}

async function openChat(data: string) {
  return createChat({ log: await openSqliteLog(join(data, 'parley.db')) })
}
