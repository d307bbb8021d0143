import type { Views } from '../log/views.ts'
import { BEFORE_ALL, type Entry } from '../protocol/entry.ts'

const PAGE = 256

/** The files that entries name, of one conversation or of all. */
export async function attachedHashes(views: Pick<Views, 'read'>, conversation?: string): Promise<Set<string>> {
  const hashes = new Set<string>()
  for (let after = BEFORE_ALL; ; ) {
    const page = (await views.read({ conversation, after, limit: PAGE })) as Entry[]
    for (const { body } of page)
      if ('attachments' in body) for (const { hash } of body.attachments ?? []) hashes.add(hash)
    if (page.length === 0) return hashes
    after = page.at(-1)?.id ?? after
  }
}
