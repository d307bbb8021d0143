import { isUtf8 } from 'node:buffer'
import type { ContentBlock } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import type { Delivery, EarlierMessage } from '../../../chat/delivery/deliveries.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { type Attachment, attachmentUri, inWords, isImage } from '../../../protocol/entries/attachment.ts'
import type { Settlement } from '../../../protocol/entries/entry.ts'
import type { Caller } from '../surface.ts'

/** The files of the conversations, as an agent gets them. */
export interface AgentFiles {
  store: Pick<FileStore, 'describe' | 'pathOf' | 'read' | 'save' | 'find'>
  /** Whether it may read a file, by its hash; to it there is no other. */
  mayRead(hash: string): Promise<boolean>
  /** The agent runs on this machine, so that a path tells it something. */
  sameMachine: boolean
  /** The agent may name files of this machine, as they are called in this folder: it runs in it, as the hub's owner. */
  takesPathsFrom?: string
}

/** What an answer says of a file. It comes beside the answer too, if it is not too large for that. */
const HandedFile = z.object({
  name: z.string(),
  mime: z.string(),
  size: z.number(),
  path: z.optional(z.string()),
  uri: z.optional(z.string()),
})
type HandedFile = z.infer<typeof HandedFile>
export const HandedFiles = z.optional(z.array(HandedFile))

/** A delivery whose files are in the agent's hands. */
export interface Handed extends Pick<Delivery, 'open' | 'interrupted'> {
  settlements: (Omit<Settlement, 'attachments'> & { attachments?: HandedFile[] })[]
  earlier: (Omit<EarlierMessage, 'attachments'> & { attachments?: HandedFile[] })[]
}

// The limit beside one answer. More would not fit the context of any model; the path leads to the rest.
const ENCLOSED_BYTES = 5 * 1024 * 1024
const TEXT_BYTES = 256 * 1024

/**
 * Unpacks a delivery for the answer that carries it: its files go beside the answer, in the order in which it names
 * them.
 */
export function handOut(
  delivery: Delivery,
  caller: Caller,
  files: (() => Promise<AgentFiles>) | undefined,
): Handed | Promise<Handed> {
  const { settlements, earlier, open, interrupted } = delivery
  // What brings nothing need not arrive.
  if (delivery.deliveredIds) caller.carry(delivery)
  else delivery.arrived()
  const withFiles = settlements.some(hasFiles) || earlier.some(hasFiles)
  if (withFiles) return unpacked(delivery, caller, files)
  // Most bring none, and wait for nothing.
  return { open, interrupted, settlements: settlements as Handed['settlements'], earlier: earlier as Handed['earlier'] }
}

function hasFiles({ attachments }: { attachments?: Attachment[] }): boolean {
  return attachments !== undefined
}

async function unpacked(
  { settlements, earlier, open, interrupted }: Delivery,
  caller: Caller,
  files: (() => Promise<AgentFiles>) | undefined,
): Promise<Handed> {
  let left = ENCLOSED_BYTES
  const from = await files?.()
  return { open, interrupted, settlements: await all(settlements), earlier: await all(earlier) }

  async function all<Said extends { attachments?: Attachment[] }>(said: Said[]) {
    const handed = []
    for (const { attachments, ...words } of said)
      handed.push({ ...words, ...(attachments && { attachments: await several(attachments) }) })
    return handed
  }

  async function several(attachments: Attachment[]): Promise<HandedFile[]> {
    const handed: HandedFile[] = []
    for (const attachment of attachments) {
      const { name, mime, size } = attachment
      const path = from?.sameMachine ? await from.store.pathOf(attachment) : undefined
      handed.push({ name, mime, size, ...(path === undefined ? { uri: attachmentUri(attachment) } : { path }) })
      await enclose(attachment)
    }
    return handed
  }

  async function enclose(attachment: Attachment) {
    if (!caller.enclose || !from) return
    const fits = attachment.size <= Math.min(left, isImage(attachment) ? ENCLOSED_BYTES : TEXT_BYTES)
    const bytes = fits ? await from.store.read(attachment.hash) : undefined
    const block = bytes && blockOf(attachment, bytes)
    if (block) left -= attachment.size
    caller.enclose(block ?? linkTo(attachment))
  }
}

/** An answer is never empty: one that is only files names them. */
export function spoken(text: string, files: HandedFile[] | undefined): string {
  return text.trim() === '' ? inWords(text, files) : text
}

/** Images to be seen, texts to be read; nothing for what a model can do nothing with. */
function blockOf(attachment: Attachment, bytes: Buffer): ContentBlock | undefined {
  const { mime: mimeType } = attachment
  if (isImage(attachment)) return { type: 'image', data: bytes.toString('base64'), mimeType }
  const text = textIn(bytes)
  return text === undefined
    ? undefined
    : { type: 'resource', resource: { uri: attachmentUri(attachment), mimeType, text } }
}

function linkTo(attachment: Attachment): ContentBlock {
  const { name, mime: mimeType, size } = attachment
  return { type: 'resource_link', uri: attachmentUri(attachment), name, mimeType, size }
}

/** Browsers know the kind of few texts, so that the bytes have to tell. */
export function textIn(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  // JSON cannot carry text that is not UTF-8.
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined
}
