import { GOES_ON } from '../../protocol/entries/title.ts'
import { type InboxMessage, inboxUri } from '../../protocol/frames/inbox.ts'
import type { Prompt } from '../driver.ts'
import type { ConversationHub } from '../hub.ts'
import { type UserText, wordsOf } from '../user-text.ts'

/** What an agent that remembers nothing is told of what was said before. */
const MOST_REMINDED = 20
const LONGEST_REMINDED = 1000

interface PromptParts {
  texts: Omit<UserText, 'conversation'>[]
  /** Whether the agent has to be told what was said before. */
  remind: boolean
  conversation: string
  hub: Pick<ConversationHub, 'read' | 'call'>
}

/** Everything that was said, in order and with its images. */
export async function promptOf({ texts, remind, conversation, hub }: PromptParts): Promise<Prompt> {
  const words = texts.map(wordsOf).join('\n\n')
  const before = remind ? await reminder(conversation, texts, hub) : ''
  const images = await Promise.all(texts.flatMap(({ images = [] }) => images).map((image) => imageOf(image, hub)))
  const readable = images.filter((image) => image !== undefined)
  return { text: before + words, ...(readable.length > 0 && { images: readable }) }
}

async function reminder(conversation: string, texts: { id: string }[], hub: PromptParts['hub']): Promise<string> {
  const [first] = texts
  const inbox = await hub.read(inboxUri(conversation))
  const { messages } = JSON.parse(inbox?.text ?? '{"messages":[]}') as { messages: InboxMessage[] }
  const before = messages.filter(({ id, of_other_agent }) => (!first || id < first.id) && !of_other_agent)
  const earlier = inNewestWords(before).slice(-MOST_REMINDED)
  if (earlier.length === 0) return (await hub.call('read_earlier', {})).context
  const lines = earlier.map(({ author, content }) => `${author === 'user' ? 'Person' : 'You'}: ${shortened(content)}`)
  return `${GOES_ON} What was said last:\n\n${lines.join('\n')}\n\nNow the person says:\n\n`
}

/** An agent that has none of it need not know what was changed. */
function inNewestWords(messages: InboxMessage[]): InboxMessage[] {
  const changes = new Map(messages.flatMap((message) => (message.revises ? [[message.revises, message]] : [])))
  return messages.flatMap((message) => {
    const change = changes.get(message.id)
    if (change?.taken_back || (message.revises && messages.some(({ id }) => id === message.revises))) return []
    return change ? { ...message, content: change.content } : message
  })
}

function shortened(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  return text.length > LONGEST_REMINDED ? `${text.slice(0, LONGEST_REMINDED).toWellFormed()}…` : text
}

/** One that is not there any more is named in the words all the same. */
async function imageOf({ uri, mime, name }: { uri: string; mime: string; name: string }, hub: PromptParts['hub']) {
  const base64 = (await hub.read(uri))?.blob
  return base64 === undefined ? undefined : { mime, name, base64 }
}
