import { isRecord } from '../../protocol/text/record.ts'
import { shownUri } from './names.ts'
import type { Raw } from './upstream/upstream.ts'

/** A result whose resources lead back to their server; nothing else of it is touched. */
export function withShownUris(server: string, result: Raw): Raw {
  const { content, contents, messages } = result
  if (Array.isArray(content) && content.some(namesResource))
    return { ...result, content: content.map((block) => shownBlock(server, block)) }
  if (Array.isArray(contents)) return { ...result, contents: contents.map((item) => shownItem(server, item)) }
  if (Array.isArray(messages)) return { ...result, messages: messages.map((message) => shownMessage(server, message)) }
  return result
}

function namesResource(block: unknown): boolean {
  return isRecord(block) && (block.type === 'resource_link' || block.type === 'resource')
}

function shownBlock(server: string, block: unknown): unknown {
  if (!isRecord(block)) return block
  if (block.type === 'resource_link') return shownItem(server, block)
  return block.type === 'resource' ? { ...block, resource: shownItem(server, block.resource) } : block
}

function shownMessage(server: string, message: unknown): unknown {
  return isRecord(message) ? { ...message, content: shownBlock(server, message.content) } : message
}

/** An item of a list, or of what was read. */
export function shownItem(server: string, item: unknown): unknown {
  return isRecord(item) && typeof item.uri === 'string' ? { ...item, uri: shownUri(server, item.uri) } : item
}
