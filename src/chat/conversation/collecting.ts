import type { FileStore } from '../../files/file-store.ts'
import type { Views } from '../../log/views.ts'
import { attachedHashes } from './attached-hashes.ts'

export interface Collected {
  files: number
  bytes: number
}

interface CollectingParts {
  views: Pick<Views, 'read'>
  files: Pick<FileStore, 'all' | 'moment' | 'remove'>
}

/** An uploaded file may be used later: somebody is still writing. */
const UNSAID_MS = 24 * 60 * 60_000

/** Removes the files that no conversation names. */
export async function collectFiles({ views, files }: CollectingParts): Promise<Collected> {
  const since = files.moment()
  const old = Date.now() - UNSAID_MS
  const named = await attachedHashes(views)
  const collected: Collected = { files: 0, bytes: 0 }
  for await (const { hash, size, at } of files.all()) {
    if (named.has(hash) || at > old || !(await files.remove(hash, since, 'unsaid too'))) continue
    collected.files++
    collected.bytes += size
  }
  return collected
}
