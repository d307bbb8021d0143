import type { FileStore } from '../../files/file-store.ts'
import type { Attachment, AttachmentRef } from '../../protocol/entries/attachment.ts'
import type { Message } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'

/** A message as somebody posts it. */
export type Posting = Omit<Message, 'kind' | 'attachments'> & { attachments?: AttachmentRef[] }

export type Attached = ReturnType<typeof createAttaching>

/** Turns what somebody says of files into what is known of them. Throws where there is no such file. */
export function createAttaching(files: Pick<FileStore, 'attach'> | undefined) {
  return function attached(refs: AttachmentRef[] = []): { attachments?: Attachment[] } {
    const [first] = refs
    if (!first) return {}
    if (!files) throw new ParleyError('unknown_file', { hash: first.hash })
    return { attachments: refs.map(files.attach) }
  }
}
