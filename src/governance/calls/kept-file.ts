import type { FileStore } from '../../files/file-store.ts'
import type { Attachment } from '../../protocol/entries/attachment.ts'
import { ifRefused } from '../../protocol/refusal.ts'

/** A result is told also where the disk is full or the file is too large: then nothing is kept. */
export function keptFile(
  files: Pick<FileStore, 'save' | 'attach'>,
  bytes: Uint8Array,
  about: { name: string; mime: string },
): Promise<Attachment | undefined> {
  return files
    .save([bytes])
    .then(({ hash }) => files.attach({ hash, ...about }))
    .catch(ifRefused(() => undefined))
}
