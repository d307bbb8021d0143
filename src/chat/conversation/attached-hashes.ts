import type { Views } from '../../log/views.ts'
import { BEFORE_ALL, type Body } from '../../protocol/entries/entry.ts'
import { pagesAfter } from '../reading/pages-after.ts'

/** The files that entries name, of one conversation or of all. */
export async function attachedHashes(views: Pick<Views, 'read'>, conversation?: string): Promise<Set<string>> {
  const hashes = new Set<string>()
  for await (const page of pagesAfter(views, { conversation, after: BEFORE_ALL }))
    for (const { body } of page) for (const hash of filesOf(body)) hashes.add(hash)
  return hashes
}

/** The hashes of the files that an entry names. */
export function filesOf(body: Body): string[] {
  const attached = 'attachments' in body ? (body.attachments ?? []) : []
  const kept = body.kind === 'tool_call' ? body.args_file : body.kind === 'tool_result' ? body.whole_file : undefined
  return [...attached.map(({ hash }) => hash), ...(kept ? [kept] : [])]
}

/** The same, as who says them would name them. */
export function namedIn(body: Body): { hash: string }[] {
  return filesOf(body).map((hash) => ({ hash }))
}
