import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server'
import type { FileStore } from '../../../files/file-store.ts'
import { hashInUri } from '../../../protocol/entries/attachment.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { type AgentFiles, textIn } from '../tools/enclosures.ts'

export const ATTACHMENT_TEMPLATE = {
  uriTemplate: 'parley://attachments/{hash}/{name}',
  name: 'attachment',
  title: 'Attached file',
  description: 'A file of a conversation, as an answer or a message names it.',
}

/** Files that answers name and that were too large to come along. */
export function serveAttachments(server: Server, files: () => Promise<AgentFiles>) {
  server.registerCapabilities({ resources: {} })
  server.setRequestHandler('resources/list', async () => ({ resources: [] }))
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [ATTACHMENT_TEMPLATE] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const { store, mayRead } = await files()
    const contents = await readAttachment(uri, store, mayRead)
    if (!contents) throw new ResourceNotFoundError(uri, new ParleyError('unknown_resource', { uri }).message)
    return { contents: [contents] }
  })
}

/** Nothing where there is none, or none that may be read. */
export async function readAttachment(
  uri: string,
  store: Pick<FileStore, 'find' | 'read'>,
  mayRead: AgentFiles['mayRead'],
) {
  const hash = hashInUri(uri)
  const bytes = hash !== undefined && (await mayRead(hash)) ? await store.read(hash) : undefined
  if (hash === undefined || bytes === undefined) return undefined
  const { image } = store.find(hash)
  const text = image ? undefined : textIn(bytes)
  if (text !== undefined) return { uri, mimeType: 'text/plain', text }
  return { uri, mimeType: image?.mime ?? 'application/octet-stream', blob: bytes.toString('base64') }
}
