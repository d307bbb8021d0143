import { join } from 'node:path'
import { createChat } from '../src/chat/chat.ts'
import { openSqliteLog } from '../src/log/sqlite-log.ts'
import type { Body } from '../src/protocol/entry.ts'
import { textOf } from './texts.ts'

/** The conversation that the prefilled data holds. */
export const CONVERSATION = 'bench'

const IN_FLIGHT = 256

/** Talks as agents and people do, through the real chat: half of the messages ask, the other half answers. */
export async function prefill(data: string, messages: number): Promise<string> {
  const chat = createChat({ log: await openSqliteLog(join(data, 'parley.db')) })
  let left = messages / 2 - 1
  const unread = await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, left) }, talk))
  // As after real talk, only the last reply is not yet known to have been read.
  await exchange(unread.flat())
  await chat.close()
  return data

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
