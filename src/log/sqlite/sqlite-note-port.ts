import { Conflict } from '../journal.ts'
import { createNoteFollowers } from '../note-followers.ts'
import type { Note, Notes } from '../notes.ts'
import { storableName, toText } from '../stored-text.ts'
import type { ForgetNotes, NoteRow, PutNote } from './sqlite-notes.ts'
import type { openSqliteThread } from './sqlite-thread.ts'
import type { Queued, SettledWrite } from './sqlite-writes.ts'

interface NotePortParts {
  thread: Pick<Awaited<ReturnType<typeof openSqliteThread>>, 'call'>
  /** In one order with the appends, and in one transaction with those that wait. */
  enqueue(queued: Queued<PutNote> | Queued<ForgetNotes>): void
  refuseWhenClosed(): void
}

/** The notes in the file of the log. */
export function createNotePort({ thread, enqueue, refuseWhenClosed }: NotePortParts) {
  const followers = createNoteFollowers(async (beginning) => (await thread.call('notes', beginning)).map(toNote))
  const port: Notes = { get, put, follow, forget }
  return { port, announce, announceGone, close: followers.close }

  async function get(name: string) {
    refuseWhenClosed()
    const row = await thread.call('note', name)
    return row && toNote(row)
  }

  function put(name: string, value: unknown, expected: number) {
    return new Promise<number>((resolve, reject) => {
      const write = { note: storableName(name), value: toText(value), expected }
      enqueue({ write, settled, refused: reject })

      function settled(answer: SettledWrite) {
        if (typeof answer === 'object' && 'revision' in answer) resolve(answer.revision)
        else reject(new Conflict(`The note ${name} has changed`))
      }
    })
  }

  function follow(...following: Parameters<Notes['follow']>) {
    refuseWhenClosed()
    return followers.follow(...following)
  }

  function forget(beginnings: string[]) {
    return new Promise<void>((resolve, reject) => {
      enqueue({ write: { forgetNotes: beginnings }, settled: () => resolve(), refused: reject })
    })
  }

  function announce({ note, value }: PutNote, { revision }: { revision: number }) {
    followers.announce(toNote([note, value, revision]))
    return { revision }
  }

  function announceGone(names: string[]) {
    for (const name of names) followers.forget(name)
  }
}

function toNote([name, value, revision]: NoteRow): Note {
  return { name, value: JSON.parse(value), revision }
}
