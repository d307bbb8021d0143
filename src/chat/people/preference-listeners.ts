import type { Note, Notes } from '../../log/notes.ts'
import type { Mark, SavedReply } from '../../protocol/frames/preferences.ts'
import { MARK, whoseMark } from '../conversation/note-names.ts'
import { DESK, type Marks, type StoredPreferences } from './stored-preferences.ts'

export interface PreferencesListener {
  marks(marks: Marks): void
  replies(replies: SavedReply[]): void
}

interface ListenersParts {
  notes: Pick<Notes, 'follow'>
  report(error: unknown): void
}

/** Tells the pages of a person what has changed, whoever did it, at whatever hub. */
export function openPreferenceListeners({ notes, report }: ListenersParts) {
  const listeners = new Map<string, Set<PreferencesListener>>()
  /** What is being put, and who need not be told: who does it, or nobody at this hub. */
  const putting = new Set<{ from: PreferencesListener | 'all'; name: string; text: string }>()
  /** Marks of one commit are told together. */
  const marked = new Map<PreferencesListener, Marks>()
  const toldReplies = new WeakMap<PreferencesListener, string>()
  const following = [
    notes.follow(MARK, 'now', { note: noteMark, failed: report }),
    notes.follow(DESK, 'now', { note: noteDesk, failed: report }),
  ]
  return { of, close }

  function of(person: string) {
    return { add, except }

    function add(listener: PreferencesListener): { close(): void } {
      const own = listeners.get(person) ?? new Set()
      listeners.set(person, own.add(listener))
      return {
        close() {
          own.delete(listener)
          if (own.size === 0) listeners.delete(person)
        },
      }
    }

    /** Does the work, of which `from` is not told, or nobody is at this hub. */
    async function except<Result>(
      from: PreferencesListener | 'all' | undefined,
      name: string,
      value: unknown,
      work: () => Promise<Result>,
    ): Promise<Result> {
      if (!from) return work()
      const one = { from, name, text: JSON.stringify(value) }
      putting.add(one)
      try {
        return await work()
      } finally {
        putting.delete(one)
      }
    }
  }

  function close() {
    for (const { close } of following) close()
  }

  function noteMark(note: Note) {
    const [conversation, person] = whoseMark(note.name)
    for (const listener of toldOf(note, person)) {
      if (marked.size === 0) queueMicrotask(tellMarks)
      marked.set(listener, { ...marked.get(listener), [conversation]: note.value as Mark })
    }
  }

  function tellMarks() {
    const all = [...marked]
    marked.clear()
    for (const [listener, marks] of all) listener.marks(marks)
  }

  function noteDesk(note: Note) {
    const { replies } = note.value as StoredPreferences
    const text = JSON.stringify(replies)
    for (const listener of toldOf(note, note.name.slice(DESK.length))) {
      if (toldReplies.get(listener) === text) continue
      toldReplies.set(listener, text)
      listener.replies(replies)
    }
  }

  function toldOf({ name, value }: Note, person: string): PreferencesListener[] {
    const own = listeners.get(person)
    if (!own) return []
    const text = JSON.stringify(value)
    const doers = [...putting].filter((one) => one.name === name && one.text === text).map(({ from }) => from)
    return doers.includes('all') ? [] : [...own].filter((listener) => !doers.includes(listener))
  }
}
