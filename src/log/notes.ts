import { Conflict, type Following } from './journal.ts'

/**
 * Small values beside the log, each under a name: what is kept of people, programs and the hub itself. Every change is
 * compare and put, so that it makes no difference who else changes the same note, here or in another process.
 */
export interface Notes {
  get(name: string): Promise<Note | undefined>
  /**
   * Resolves with the revision of the note once its value is durable. Rejects with `Conflict`, having changed nothing,
   * when the note's revision is not the expected one; a name without a note is expected by `NO_NOTE`.
   */
  put(name: string, value: unknown, expected: number): Promise<number>
  /**
   * Tells each change of the notes whose names begin so: from now on, or from the start, where it tells first what they
   * are. Of changes that come quickly one after the other only the last one may be told; nothing older is told after
   * something newer. Who puts a note has been told of it when the put resolves.
   */
  follow(beginning: string, from: 'now' | 'start', follower: NoteFollower): Following
  /** Removes the notes whose names begin with one of these. Resolves once nobody can read them. */
  forget(beginnings: string[]): Promise<void>
}

export interface Note {
  name: string
  /** A JSON value. */
  value: unknown
  /** A whole number that no other value of any note has, and greater than those of all values put before. */
  revision: number
}

export interface NoteFollower {
  note(note: Note): void
  forgotten?(name: string): void
  /** Everything that was there at the start has been told. */
  begun?(): void
  /** The notes could not be read, or this follower threw; the following is over. */
  failed(error: unknown): void
}

/** Those that are there now. */
export function presentNotes(notes: Pick<Notes, 'follow'>, beginning: string): Promise<Note[]> {
  return new Promise((resolve, reject) => {
    const present = new Map<string, Note>()
    const following = notes.follow(beginning, 'start', {
      note: (note) => present.set(note.name, note),
      forgotten: (name) => present.delete(name),
      begun() {
        following.close()
        resolve([...present.values()])
      },
      failed: reject,
    })
  })
}

/** The revision of a name that has no note. */
export const NO_NOTE = 0

/**
 * Puts what `change` makes of the value, and asks it again where somebody else was quicker. Where it answers `undefined`
 * the note is left as it is. Resolves with the value that it has now.
 */
export async function changeNote(
  notes: Pick<Notes, 'get' | 'put'>,
  name: string,
  change: (value: unknown) => unknown,
): Promise<unknown> {
  for (;;) {
    const note = await notes.get(name)
    const value = await change(note?.value)
    if (value === undefined) return note?.value
    try {
      await notes.put(name, value, note?.revision ?? NO_NOTE)
      return value
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
    }
  }
}
