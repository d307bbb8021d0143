import type { Got } from './record.ts'

interface Said {
  text: string
  in_reply_to?: string
}

interface Answer {
  reply?: string
  answer?: string
  status?: 'pending' | 'interrupted'
  question_id?: string
  message?: string
  earlier_messages?: Said[]
  messages?: (Said & { content?: unknown })[]
}

/** What the answer to a call brought its agent, or why it brought nothing. */
export function gotFrom(tool: string, result: unknown): Got | string {
  const { isError, content, structuredContent } = result as {
    isError?: boolean
    content: { text: string }[]
    structuredContent?: Answer
  }
  const text = content[0]?.text ?? ''
  if (isError) return text
  if (tool === 'approve') return { earlier: [], verdict: JSON.parse(text) }
  const { reply, answer, status, question_id, message, earlier_messages = [], messages = [] } = structuredContent ?? {}
  if (tool === 'read_and_advance') return { earlier: [], read: messages.map(({ content }) => String(content)) }
  return {
    ...((reply ?? answer) !== undefined && { reply: reply ?? answer }),
    ...(status === 'pending' && { pending: question_id }),
    ...(status === 'interrupted' && { stopped: message ?? '' }),
    earlier: [...earlier_messages, ...messages].map(({ text, in_reply_to }) => ({ text, in_reply_to })),
  }
}

/** Everything that somebody said and that is in it, replies and the words of stops too. */
export function textsIn({ reply, stopped, earlier, verdict }: Got): string[] {
  return [reply, stopped, verdict?.message, ...earlier.map(({ text }) => text)].filter((text) => text !== undefined)
}
