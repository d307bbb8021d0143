import { createQueues } from '../../io/queues.ts'
import { Conflict } from '../../log/journal.ts'
import { changeNote, NO_NOTE, type Note, type Notes } from '../../log/notes.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { changed, withoutReply, withReply } from '../../protocol/frames/marks.ts'
import type { Mark, MarkChange, SavedReply } from '../../protocol/frames/preferences.ts'
import { MOST_AT_HAND, MOST_REPLIES } from '../../protocol/frames/preferences-change.ts'
import type { ChatService } from '../chat-service.ts'
import { marksOf } from '../conversation/note-names.ts'
import { openPreferenceListeners, type PreferencesListener } from './preference-listeners.ts'
import { DESK, type Marks, type StoredPreferences, withoutAtHand } from './stored-preferences.ts'

export type PreferencesStore = ReturnType<typeof createPreferencesStore>

interface PreferencesStoreParts {
  notes: Notes
  last: ChatService['last']
  report(error: unknown): void
}

interface ChangeParts {
  /** Throws where there is no such conversation. */
  admit(conversation: string): Promise<void>
  from?: PreferencesListener
}

/** The preferences of people about the conversations. They are in none of them, and no agent sees them. */
export function createPreferencesStore({ notes, last, report }: PreferencesStoreParts) {
  const listeners = openPreferenceListeners({ notes, report })
  /** What one person does is done in the order in which it came. */
  const turns = createQueues()
  return { of, close: listeners.close }

  /** `from` is who did it, and need not be told. */
  function of(person: string) {
    const desk = DESK + person
    return { atHand, letGo, show, marks, change, keepReply, dropReply, follow: listeners.of(person).add }

    async function atHand(): Promise<string[]> {
      return (await open()).stored.at_hand
    }

    /** It is forgotten, and so is that it was pinned or snoozed. */
    async function letGo(conversation: string): Promise<void> {
      await changeNote(notes, desk, withoutAtHand(conversation))
    }

    /** All of it, as far as it is about these conversations. */
    async function show(conversations: string[]) {
      const [{ stored }, shown] = await Promise.all([open(), marks(conversations)])
      return { since: stored.since, replies: stored.replies, marks: withoutEmpty(shown) }
    }

    async function marks(conversations: string[]): Promise<Marks> {
      const read = async (name: string) => [name, markIn(await notes.get(nameOf(name)))]
      return Object.fromEntries(await Promise.all(conversations.map(read)))
    }

    function change(changes: Record<string, MarkChange>, parts: ChangeParts): Promise<Marks> {
      return turns.add(person, () => changeNow(changes, parts))
    }

    /** Who changes the same at another hub meanwhile loses nothing, and neither does this. */
    async function changeNow(changes: Record<string, MarkChange>, { admit, from }: ChangeParts): Promise<Marks> {
      const names = Object.keys(changes)
      await Promise.all(names.map(admit))
      for (;;) {
        const before = await Promise.all(names.map((name) => notes.get(nameOf(name))))
        const after = names.map((name, n) => changed(markIn(before[n]), changes[name] ?? {}))
        const differing = names.flatMap((_, n) => (isSame(markIn(before[n]), after[n]) ? [] : n))
        const result = Object.fromEntries(names.map((name, n) => [name, after[n] as Mark]))
        if (differing.length === 0) return result
        try {
          await keepAtHand(result)
          // All are put together, so that they share a commit.
          const puts = differing.map((n) =>
            put(nameOf(names[n] as string), after[n], before[n]?.revision ?? NO_NOTE, from),
          )
          for (const put of await Promise.allSettled(puts)) if (put.status === 'rejected') throw put.reason
          return result
        } catch (error) {
          if (!(error instanceof Conflict)) throw error
        }
      }
    }

    function keepReply(reply: SavedReply, insteadOf?: string, from?: PreferencesListener): Promise<SavedReply[]> {
      return changeReplies((replies) => {
        const more = withReply(replies, reply, insteadOf)
        if (more.length > MOST_REPLIES) throw new ParleyError('too_many_replies', { most: MOST_REPLIES })
        return more
      }, from)
    }

    function dropReply(name: string, from?: PreferencesListener): Promise<SavedReply[]> {
      return changeReplies((replies) => withoutReply(replies, name), from)
    }

    function changeReplies(
      change: (replies: SavedReply[]) => SavedReply[],
      from?: PreferencesListener,
    ): Promise<SavedReply[]> {
      return turns.add(person, () => changeRepliesNow(change, from))
    }

    async function changeRepliesNow(
      change: (replies: SavedReply[]) => SavedReply[],
      from: PreferencesListener | undefined,
    ): Promise<SavedReply[]> {
      for (;;) {
        const { stored, revision } = await open()
        const replies = change(stored.replies)
        if (isSame(replies, stored.replies)) return replies
        try {
          await put(desk, { ...stored, replies }, revision, from)
          return replies
        } catch (error) {
          if (!(error instanceof Conflict)) throw error
        }
      }
    }

    async function keepAtHand(after: Marks) {
      const { stored, revision } = await open()
      const others = stored.at_hand.filter((conversation) => !Object.hasOwn(after, conversation))
      const added = Object.keys(after).filter((name) => after[name]?.pinned || after[name]?.snoozed)
      const at_hand = [...others, ...added].sort()
      if (isSame(at_hand, stored.at_hand)) return
      if (at_hand.length > MOST_AT_HAND && at_hand.length > stored.at_hand.length)
        throw new ParleyError('too_many_at_hand', { most: MOST_AT_HAND })
      await put(desk, { ...stored, at_hand }, revision, 'all')
    }

    async function open(): Promise<{ stored: StoredPreferences; revision: number }> {
      for (;;) {
        const note = await notes.get(desk)
        if (note) return { stored: note.value as StoredPreferences, revision: note.revision }
        const stored = { since: await last(), at_hand: [], replies: [] }
        try {
          return { stored, revision: await put(desk, stored, NO_NOTE, 'all') }
        } catch (error) {
          if (error instanceof Conflict) continue
          // Everything can still be read where nothing can be stored for once.
          report(error)
          return { stored, revision: NO_NOTE }
        }
      }
    }

    function put(name: string, value: unknown, revision: number, from?: PreferencesListener | 'all') {
      return listeners.of(person).except(from, name, value, () => notes.put(name, value, revision))
    }

    function nameOf(conversation: string): string {
      return `${marksOf(conversation)}${JSON.stringify(person)}]`
    }
  }
}

function markIn(note: Note | undefined): Mark {
  return (note?.value ?? {}) as Mark
}

function withoutEmpty(marks: Marks): Marks {
  return Object.fromEntries(Object.entries(marks).filter(([, mark]) => Object.keys(mark).length > 0))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
