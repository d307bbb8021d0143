import type { InboxMessage } from '../protocol/frames/inbox.ts'

/** What a person said to the agent: one event, once, on its way from the inbox into a prompt. */
export interface UserText {
  id: string
  conversation: string
  /** Empty where the person only wants the agent to stop. */
  text: string
  /** The question that it answers, as far as it is known. */
  answers?: string
  /** The id of the question that it is the reply to. */
  settles?: string
  /** Its images and where to read them. */
  images?: { uri: string; mime: string; name: string }[]
  /** It tells of a change of an earlier text: which one, and what that says now, if it was not taken back. */
  changes?: { message: string; text?: string }
  /** It came with a stop. */
  stop?: true
}

/** The words of the page where a person stops the agent without any. */
const WORDLESS_STOP = 'Stop'

/** Nothing of an assistant's is ever one, and nothing that is told to another agent. */
export function userTextIn(message: InboxMessage): UserText | undefined {
  const { id, author, session_id, content, in_reply_to, settles, interrupt, attachments, of_other_agent } = message
  if (author !== 'user' || of_other_agent) return undefined
  const words = typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  const images = attachments?.filter(({ mime }) => mime.startsWith('image/'))
  return {
    id,
    conversation: session_id,
    text: interrupt && words === WORDLESS_STOP ? '' : words,
    ...(in_reply_to?.text !== undefined && { answers: in_reply_to.text }),
    ...(settles !== undefined && { settles }),
    ...(images?.length && { images: images.map(({ uri, mime, name }) => ({ uri, mime, name })) }),
    ...(interrupt && { stop: true }),
  }
}

/** What the agent reads: with the question, where it answers one. */
export function wordsOf({ text, answers }: Pick<UserText, 'text' | 'answers'>): string {
  if (answers === undefined) return text
  return `${answers.replace(/^/gm, '> ')}\n\n${text}`
}
