import type { Body, Entry } from './entry.ts'

/** The message as it is now. What was taken back stays so. */
export function revised(entry: Entry, revision: Body | undefined): Entry {
  const { body } = entry
  if (body.kind !== 'message' || body.revised === 'taken_back' || revision?.kind !== 'revision') return entry
  const { text } = revision
  if (text !== undefined) return { ...entry, body: { ...body, text, revised: 'changed' } }
  const { attachments: _, mime: __, structured: ___, ...rest } = body
  return { ...entry, body: { ...rest, text: '', revised: 'taken_back' } }
}

/** Each message among the entries as what is said about it among the others makes it. */
export function withRevisions(entries: Entry[], revisions: Entry[]): Entry[] {
  const byMessage = new Map<string, Entry[]>()
  for (const entry of revisions)
    if (entry.body.kind === 'revision')
      byMessage.set(entry.body.message, [...(byMessage.get(entry.body.message) ?? []), entry])
  if (byMessage.size === 0) return entries
  return entries.map((entry) => (byMessage.get(entry.id) ?? []).reduce((now, { body }) => revised(now, body), entry))
}
