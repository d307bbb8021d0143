import type { InboxPage } from '../protocol/frames/inbox.ts'

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

/**
 * The messages after the watermark, page by page, oldest first. Store `last_id` of a page once its messages are
 * handled: whoever crashes before that gets them again, and nothing is skipped.
 */
export async function* catchUp(client: ToolCaller, { after_id, session_id }: Watermark): AsyncGenerator<InboxPage> {
  let after = after_id
  for (;;) {
    const page = await readSince(client, { after_id: after, session_id })
    if (page.messages.length > 0) yield page
    if (!page.has_more) return
    after = page.last_id
  }
}

async function readSince(client: ToolCaller, since: Watermark): Promise<InboxPage> {
  const result = await client.callTool({ name: 'chat_read_since', arguments: { ...since } })
  if (result.isError) throw new Error((result.content as { text: string }[])[0]?.text)
  return result.structuredContent as InboxPage
}
