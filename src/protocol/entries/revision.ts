import { isBytes } from '../text/mime.ts'
import { inWords } from './attachment.ts'
import type { Body, Entry, Message, Revision } from './entry.ts'
import { gistOfFiles } from './files.ts'

/** More would not show better what is meant. */
const QUOTED_LENGTH = 200

/** The message as it is now; what was taken back stays so. Of several revisions only the last has words. */
export function revised(entry: Entry, revision: Body | undefined): Entry {
  const { body } = entry
  if (revision?.kind !== 'revision') return entry
  if (body.kind === 'revision') return { ...entry, body: superseded(body) }
  if (body.kind !== 'message' || body.revised === 'taken_back') return entry
  const { text } = revision
  if (text !== undefined) return { ...entry, body: { ...body, text, revised: 'changed' } }
  const { attachments: _, mime: __, structured: ___, ...rest } = body
  return { ...entry, body: { ...rest, text: '', revised: 'taken_back' } }
}

function superseded({ kind, by, message, late }: Revision): Revision {
  return { kind, by, message, ...(late && { late }), superseded: true }
}

/** Each message among the entries as what is said about it among the others makes it. */
export function withRevisions(entries: Entry[], revisions: Entry[]): Entry[] {
  const byMessage = new Map<string, Entry[]>()
  for (const entry of revisions)
    if (entry.body.kind === 'revision')
      byMessage.set(entry.body.message, [...(byMessage.get(entry.body.message) ?? []), entry])
  if (byMessage.size === 0) return entries
  return entries.map((entry) => {
    const later = (byMessage.get(revisedBy(entry)) ?? []).filter(({ id }) => id > entry.id)
    return later.reduce((now, { body }) => revised(now, body), entry)
  })
}

/** The id of the message that an entry is, or is about. */
export function revisedBy({ id, body }: Entry): string {
  return body.kind === 'revision' ? body.message : id
}

/** What a revision says to who knows nothing of revisions. */
export function revisionInWords({ text, was, attachments }: Revision): string {
  if (text !== undefined) return inWords(text, attachments)
  return `Taken back: ${was ? `"${was}"` : 'an earlier message'}`
}

/** What an agent is told that has the words which a revision replaced. */
export function changeInWords({ was }: Revision, { text }: Pick<Revision, 'text'>): string {
  const which = was ? `an earlier message, "${was}"` : 'an earlier message'
  if (text === undefined) return `The person took back ${which}. Do not act on it.`
  return `The person changed ${which}. It now says:\n\n${text}`
}

/** How a message begins, for whoever has to know which one is meant. */
export function quoteOf(message: Pick<Message, 'text' | 'mime' | 'attachments'>): string {
  const text = isBytes(message) ? '' : beginningOfText(message.text)
  return text || gistOfFiles(message.attachments ?? [])
}

export function beginningOfText(words: string): string {
  const text = words.replace(/\s+/g, ' ').trim()
  return text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH).toWellFormed()}…` : text
}
