import { BEFORE_ALL, type Receipt } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { later } from '../../protocol/entries/later.ts'
import { bodies, type Proposed } from '../conversation/decision.ts'
import type { Rooms } from '../conversation/rooms.ts'

interface NotingParts {
  rooms: Pick<Rooms, 'append'>
  report(error: unknown): void
}

/** Notes what agents got, and what they have proven to have. */
export function createNoting({ rooms, report }: NotingParts) {
  /** What was delivered and is not noted yet. */
  const soon = new Set<Receipt>()
  return { note, noteSoon, overtake, isNoted }

  /** Resolves when it is kept. */
  async function note(conversation: string, read: Receipt) {
    overtake(read)
    await rooms.append(conversation, (state) => receiptIn(state, read))
  }

  /** What is returned takes it back until it is kept. */
  function noteSoon(conversation: string, delivered: Receipt): () => void {
    soon.add(delivered)
    const takeBack = () => soon.delete(delivered)
    const decide = (state: ConversationState) => (soon.has(delivered) ? receiptIn(state, delivered) : [])
    // Nobody waits for it: what is not noted is handed over again.
    rooms.append(conversation, decide, { soon: true }).catch(report).finally(takeBack)
    return takeBack
  }

  /** What is read by now need not be told to be delivered. */
  function overtake(read: Receipt) {
    for (const late of soon) if (covers(read, late)) soon.delete(late)
  }

  /** Whether a reply is in what is told to be read, or about to be noted. */
  function isNoted(reply: string, read?: Receipt): boolean {
    return [read, ...soon].some((receipt) => receipt?.replies?.includes(reply))
  }
}

/** What was forgotten meanwhile is not begun again by who has it. */
function receiptIn({ last }: ConversationState, receipt: Receipt): Proposed[] {
  return last === BEFORE_ALL ? [] : bodies(receipt)
}

function covers(read: Receipt, late: Receipt): boolean {
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
