import { changeNote, type Notes } from '../../log/notes.ts'

interface OwnFollower {
  /** `rest` is what follows in the name. */
  changed(rest: string, value: unknown): void
  begun?(): void
  failed(error: unknown): void
}

/** What is kept for one principal, each thing under a name. */
export function ownNotes(notes: Notes, id: string) {
  const end = ` ${id}`
  return { get, change, follow }

  async function get(name: string): Promise<unknown> {
    return (await notes.get(name + end))?.value
  }

  /** Asks again what to make of the value where somebody else was quicker; `undefined` leaves it. Resolves with it. */
  function change(name: string, change: (value: unknown) => unknown): Promise<unknown> {
    return changeNote(notes, name + end, change)
  }

  /** Tells of those whose names begin so what they are at the start, and what changes, whoever did it. */
  function follow(beginning: string, { changed, begun, failed }: OwnFollower): { close(): void } {
    return notes.follow(beginning, 'start', {
      note({ name, value }) {
        if (name.endsWith(end)) changed(name.slice(beginning.length, -end.length), value)
      },
      begun,
      failed,
    })
  }
}
