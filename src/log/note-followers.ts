import { attempt } from '../io/attempt.ts'
import type { Following } from './journal.ts'
import type { Note, NoteFollower } from './notes.ts'

/**
 * The followers of the notes of an engine, which announces each change in the order of its commits, before any read that
 * can see it has come back.
 */
export function createNoteFollowers(read: (beginning: string) => Promise<Note[]>) {
  const all = new Set<ReturnType<typeof openFollowing>>()
  return { follow, announce, forget, close }

  function follow(beginning: string, from: 'now' | 'start', follower: NoteFollower): Following {
    const following = openFollowing(beginning, follower, () => all.delete(following))
    all.add(following)
    if (from === 'start') following.beginWith(read(beginning))
    return { close: following.close }
  }

  function announce(note: Note) {
    for (const following of [...all]) following.announce(note)
  }

  function forget(name: string) {
    for (const following of [...all]) following.forget(name)
  }

  function close() {
    for (const { close } of [...all]) close()
  }
}

function openFollowing(beginning: string, follower: NoteFollower, closed: () => void) {
  /** What has changed while the notes are read for the first time: what is read of it may be older. */
  let changed: Set<string> | undefined
  let isOpen = true
  return { beginWith, announce, forget, close }

  function beginWith(reading: Promise<Note[]>) {
    const known = new Set<string>()
    changed = known
    reading.then((notes) => {
      changed = undefined
      for (const note of notes) if (!known.has(note.name)) tell(() => follower.note(note))
      tell(() => follower.begun?.())
    }, fail)
  }

  function announce(note: Note) {
    if (!note.name.startsWith(beginning)) return
    changed?.add(note.name)
    tell(() => follower.note(note))
  }

  function forget(name: string) {
    if (!name.startsWith(beginning)) return
    changed?.add(name)
    tell(() => follower.forgotten?.(name))
  }

  function tell(work: () => void) {
    if (isOpen) attempt(work, fail)
  }

  function fail(error: unknown) {
    if (!isOpen) return
    close()
    follower.failed(error)
  }

  function close() {
    isOpen = false
    closed()
  }
}
