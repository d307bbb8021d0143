import type { DatabaseSync } from 'node:sqlite'
import type { createEnds } from './sqlite-ends.ts'
import type { createNotes } from './sqlite-notes.ts'
import { prepareRows } from './sqlite-rows.ts'

/** Conversations whose entries nobody sees any more and which are being erased, and the newest id at the last of them. */
export const FORGETTING = `
  CREATE TABLE forgotten (number INTEGER PRIMARY KEY) STRICT;
  CREATE TABLE forgotten_to (one INTEGER PRIMARY KEY, id INTEGER NOT NULL) STRICT;
  INSERT INTO forgotten_to VALUES (1, 0);
`

export type Forget = { forget: string; expectedLast: number; traces: string[] }

/**
 * Lets a conversation vanish in one small step: every reader comes to an entry by way of its conversation, so that
 * without that row none of them is there. Erasing them takes longer and comes later, see `sqlite-erasing.ts`.
 */
export function createForgetting(
  db: DatabaseSync,
  ends: ReturnType<typeof createEnds>,
  notes: ReturnType<typeof createNotes>,
) {
  const dropConversation = prepareRows(db, 'DELETE FROM conversation WHERE number = ?')
  const noteForgotten = prepareRows(db, 'INSERT INTO forgotten VALUES (?)')
  const noteId = prepareRows(db, 'UPDATE forgotten_to SET id = ? WHERE one = 1')
  const idNoted = prepareRows(db, 'SELECT id FROM forgotten_to WHERE one = 1')
  const newestId = prepareRows(db, 'SELECT coalesce(max(id), 0) FROM entry')
  const dropSnapshot = prepareRows(db, 'DELETE FROM snapshot WHERE name = ?')
  return { forget, forgottenTo, greatestId }

  /** The names of the notes that went with it. */
  function forget({ forget: conversation, expectedLast, traces }: Forget, lastId: number): string[] | 'conflict' {
    const end = ends.of(conversation)
    if ((end?.last ?? 0) !== expectedLast) return 'conflict'
    if (!end) return []
    dropConversation.run(end.number)
    noteForgotten.run(end.number)
    noteId.run(lastId)
    ends.drop(conversation)
    dropSnapshot.run(conversation)
    return notes.forget(traces)
  }

  function forgottenTo(): number {
    return (idNoted.get() as unknown as [number])[0]
  }

  /** The greatest id that was ever given: none is given again, whatever becomes of its entry. */
  function greatestId(): number {
    return Math.max((newestId.get() as unknown as [number])[0], forgottenTo())
  }
}
