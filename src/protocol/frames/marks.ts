import type { Mark, MarkChange, SavedReply } from './preferences.ts'

/** A longer draft stays where it is written. */
export const DRAFT_LIMIT_BYTES = 64 * 1024

/** Read positions only grow and a newer draft stays, in whatever order devices report; else the last change counts. */
export function changed(mark: Mark, { snoozed = mark.snoozed, read, draft, ...flags }: MarkChange): Mark {
  const next: Mark = {
    ...mark,
    ...flags,
    snoozed: snoozed ?? undefined,
    read: read !== undefined && read > (mark.read ?? '') ? read : mark.read,
    draft: draft && draft.at >= (mark.draft?.at ?? 0) ? draft : mark.draft,
  }
  // What is not set is not kept.
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== false))
}

/** Whether it is out of sight: its time has not come, and nothing was asked that it was to wait for. */
export function isSnoozed({ snoozed }: Mark, { now, open }: { now: number; open: { id: string }[] }): boolean {
  if (!snoozed) return false
  if ('after' in snoozed) return !open.some(({ id }) => id > snoozed.after)
  return now < Date.parse(snoozed.until)
}

/** Sorted by name; a reply of that name is replaced, and so is the one that it was renamed from. */
export function withReply(replies: SavedReply[], reply: SavedReply, insteadOf = reply.name): SavedReply[] {
  const others = withoutReply(withoutReply(replies, insteadOf), reply.name)
  return [...others, reply].sort((a, b) => (a.name < b.name ? -1 : 1))
}

export function withoutReply(replies: SavedReply[], name: string): SavedReply[] {
  return replies.filter((reply) => reply.name !== name)
}
