import type { Entry, Receipt } from '../../protocol/entries/entry.ts'
import { changeInWords, revisedBy } from '../../protocol/entries/revision.ts'
import { ParleyError } from '../../protocol/errors.ts'

/** What is given to an agent, and the words for what is not given as it was said. */
export interface ReceivedWords {
  received: string[]
  revised?: RevisedWords[]
}

interface RevisedWords {
  id: string
  text: string
  /** It tells of a change: of which message, and what that says now, if it was not taken back. */
  changes?: { message: string; text?: string }
}

/** As the receipt says it, and so the same however often it is asked for and whatever is said later. */
export async function wordsIn(
  receipt: Entry | undefined,
  asked: string[],
  entry: (id: string) => Promise<Entry | undefined>,
): Promise<ReceivedWords> {
  if (!receipt) return { received: [] }
  if (receipt.body.kind !== 'receipt')
    throw new ParleyError('invalid', { problem: '"key" was used for something else' })
  const { messages = [], ahead = [] } = receipt.body
  const received = messages.filter((id) => asked.includes(id))
  const found = await Promise.all([...received, ...ahead].map(entry))
  const all = found.filter((one) => one !== undefined)
  const revised = received.flatMap((id) => wordsOf(id, all, receipt.body as Receipt) ?? [])
  return { received, ...(revised.length > 0 && { revised }) }
}

function wordsOf(id: string, all: Entry[], { messages = [] }: Receipt): RevisedWords | undefined {
  const said = all.find((one) => one.id === id)
  if (!said) return undefined
  const message = revisedBy(said)
  const newest = all.findLast((one) => one.body.kind === 'revision' && one.body.message === message)
  if (newest?.body.kind !== 'revision') return undefined
  const { text } = newest.body
  if (said.body.kind !== 'revision' || messages.includes(message)) return { id, text: text ?? '' }
  return { id, text: changeInWords(said.body, newest.body), changes: { message, ...(text !== undefined && { text }) } }
}
