/** The part of an MCP client that is needed. A connected `Client` of the v1 or the v2 SDK fits. */
export interface ToolCaller {
  callTool(params: { name: string; arguments: { [name: string]: unknown } }): Promise<{ [name: string]: unknown }>
}

export interface Watermark {
  /** The id of the last message that was handled; without it, from the first message on. */
  after_id?: string
  /** One conversation, instead of all that the client may see. */
  session_id?: string
}

/** A message of `ui://chat/inbox` and `chat_read_since`. */
export interface Message {
  id: string
  ts: string
  author: 'user' | 'assistant'
  mime: string
  /** Text, or the JSON value that was posted. */
  content: unknown
  session_id: string
  /** The message it answers, where a person said so: its id and its beginning. */
  in_reply_to?: { id: string; text?: string }
  /** The earlier message that it gives other words to, or takes back; that one keeps its own. */
  revises?: string
  taken_back?: true
  /** The question that it is the reply to. */
  settles?: string
  /** The person wants the agent to stop. */
  interrupt?: true
  /** It tells another agent what became of its call: nothing that a person said to the one that is driven. */
  of_other_agent?: true
  /** The runner that the person gave the conversation to. */
  runner?: string
  /** Each can be read as a resource. */
  attachments?: { name: string; mime: string; size: number; uri: string }[]
}

/** Messages after a watermark; `last_id` is where to go on. */
export interface Page {
  messages: Message[]
  last_id: string
  has_more: boolean
}

/**
 * The messages after the watermark, page by page, oldest first. Store `last_id` of a page once its messages are
 * handled: whoever crashes before that gets them again, and nothing is skipped.
 */
export async function* catchUp(client: ToolCaller, { after_id, session_id }: Watermark): AsyncGenerator<Page> {
  let after = after_id
  for (;;) {
    const page = await readSince(client, { after_id: after, session_id })
    if (page.messages.length > 0) yield page
    if (!page.has_more) return
    after = page.last_id
  }
}

async function readSince(client: ToolCaller, since: Watermark): Promise<Page> {
  const result = await client.callTool({ name: 'chat_read_since', arguments: { ...since } })
  if (result.isError) throw new Error((result.content as { text: string }[])[0]?.text)
  return result.structuredContent as Page
}
