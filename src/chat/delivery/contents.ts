import type { Receipt } from '../../protocol/entries/entry.ts'
import { later } from '../../protocol/entries/later.ts'
import type { Contents } from './undelivered.ts'

/** Whether what is late is in what was read. */
export function covers(read: Receipt, late: Receipt): boolean {
  const { messages_to, messages = [], ahead = [], replies = [], replies_to, stop } = late
  return (
    later(messages_to) <= later(read.messages_to) &&
    ahead.every((revision) => revision <= later(read.messages_to) || read.ahead?.includes(revision)) &&
    later(replies_to) <= later(read.replies_to) &&
    later(stop) <= later(read.stop) &&
    replies.every((reply) => read.replies?.includes(reply)) &&
    messages.every((message) => read.messages?.includes(message))
  )
}

export function isSame(one: Contents, other: Contents): boolean {
  return (
    one.messages_to === other.messages_to &&
    one.replies_to === other.replies_to &&
    one.stop === other.stop &&
    one.replies.join() === other.replies.join() &&
    (one.ahead ?? []).join() === (other.ahead ?? []).join()
  )
}

/** What is in all of them. Every call comes here several times. */
export function together(offers: { contents: Contents }[]): Contents {
  const messages: string[] = []
  const ahead: string[] = []
  const replies: string[] = []
  let messages_to: string | undefined
  let replies_to: string | undefined
  let stop: string | undefined
  for (const { contents } of offers) {
    messages_to = laterKnown(messages_to, contents.messages_to)
    replies_to = laterKnown(replies_to, contents.replies_to)
    stop = laterKnown(stop, contents.stop)
    messages.push(...(contents.messages ?? []))
    ahead.push(...(contents.ahead ?? []))
    replies.push(...contents.replies)
  }
  return {
    messages_to,
    ...(messages.length > 0 && { messages }),
    ...(ahead.length > 0 && { ahead }),
    replies,
    replies_to,
    stop,
  }
}

function laterKnown(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one
}

export function isEmpty({ messages_to, replies, replies_to, stop }: Contents): boolean {
  return replies.length === 0 && (messages_to ?? replies_to ?? stop) === undefined
}
