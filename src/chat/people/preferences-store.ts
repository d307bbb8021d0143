import { createQueues } from '../../io/queues.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { changed, withoutReply, withReply } from '../../protocol/frames/marks.ts'
import type { Mark, MarkChange, SavedReply } from '../../protocol/frames/preferences.ts'
import { MOST_AT_HAND, MOST_REPLIES } from '../../protocol/frames/preferences-change.ts'
import type { ChatService } from '../chat-service.ts'
import { marksOf } from '../conversation/note-names.ts'

export type PreferencesStore = ReturnType<typeof createPreferencesStore>

/** Marks by conversation. */
export type Marks = Record<string, Mark>

export interface PreferencesListener {
  marks(marks: Marks): void
  replies(replies: SavedReply[]): void
}

interface PreferencesStoreParts {
  service: Pick<ChatService, 'notes' | 'last'>
  report(error: unknown): void
}

interface ChangeParts {
  /** Throws where there is no such conversation. */
  admit(conversation: string): Promise<void>
  from?: PreferencesListener
}

/** The data kept once for each person; the marks are kept one by one, so that a change costs what it changes. */
interface StoredPreferences {
  /** Everything up to here was there when they first came, and is no news. */
  since: string
  /** Conversations that are listed however old they are: those that are pinned or snoozed. */
  at_hand: string[]
  replies: SavedReply[]
}

/** The preferences of people about the conversations. They are in none of them, and no agent sees them. */
export function createPreferencesStore({ service: { notes, last }, report }: PreferencesStoreParts) {
  const turns = createQueues()
  const listeners = new Map<string, Set<PreferencesListener>>()
  return { of }

  /** `from` is who did it, and need not be told. */
  function of(person: string) {
    return { atHand, letGo, show, marks, change, keepReply, dropReply, follow }

    async function atHand(): Promise<string[]> {
      return (await inTurn(open)).at_hand
    }

    /** It is forgotten, and so is that it was pinned or snoozed. */
    function letGo(conversation: string): Promise<void> {
      return inTurn(async () => {
        const stored = await open()
        const at_hand = stored.at_hand.filter((name) => name !== conversation)
        if (at_hand.length < stored.at_hand.length) await put({ ...stored, at_hand })
      })
    }

    /** All of it, as far as it is about these conversations. */
    function show(conversations: string[]) {
      return inTurn(async () => {
        const [{ since, replies }, marks] = await Promise.all([open(), read(conversations)])
        return { since, replies, marks: withoutEmpty(marks) }
      })
    }

    function marks(conversations: string[]): Promise<Marks> {
      return inTurn(() => read(conversations))
    }

    function change(changes: Record<string, MarkChange>, { admit, from }: ChangeParts): Promise<Marks> {
      return inTurn(async () => {
        await Promise.all(Object.keys(changes).map(admit))
        const before = await read(Object.keys(changes))
        const after = Object.fromEntries(
          Object.entries(before).map(([conversation, mark]) => [
            conversation,
            changed(mark, changes[conversation] ?? {}),
          ]),
        )
        const differing = Object.keys(after).filter((name) => !isSame(before[name], after[name]))
        if (differing.length === 0) return after
        await keepAtHand(after)
        // All are put together, so that they share a commit.
        await Promise.all(differing.map((conversation) => notes.put(nameOf(conversation), after[conversation])))
        tell(from, (listener) => listener.marks(Object.fromEntries(differing.map((name) => [name, after[name] ?? {}]))))
        return after
      })
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
      return inTurn(async () => {
        const stored = await open()
        const replies = change(stored.replies)
        if (isSame(replies, stored.replies)) return replies
        await put({ ...stored, replies })
        tell(from, (listener) => listener.replies(replies))
        return replies
      })
    }

    function follow(listener: PreferencesListener): { close(): void } {
      const own = listeners.get(person) ?? new Set()
      listeners.set(person, own.add(listener))
      return {
        close() {
          own.delete(listener)
          if (own.size === 0) listeners.delete(person)
        },
      }
    }

    async function keepAtHand(after: Marks) {
      const stored = await open()
      const others = stored.at_hand.filter((conversation) => !Object.hasOwn(after, conversation))
      const added = Object.keys(after).filter((name) => after[name]?.pinned || after[name]?.snoozed)
      const at_hand = [...others, ...added].sort()
      if (isSame(at_hand, stored.at_hand)) return
      if (at_hand.length > MOST_AT_HAND && at_hand.length > stored.at_hand.length)
        throw new ParleyError('too_many_at_hand', { most: MOST_AT_HAND })
      await put({ ...stored, at_hand })
    }

    async function open(): Promise<StoredPreferences> {
      const known = (await notes.get(`desk ${person}`)) as StoredPreferences | undefined
      if (known) return known
      const stored = { since: await last(), at_hand: [], replies: [] }
      // Everything can still be read where nothing can be stored for once.
      await put(stored).catch(report)
      return stored
    }

    async function put(stored: StoredPreferences) {
      await notes.put(`desk ${person}`, stored)
    }

    async function read(conversations: string[]): Promise<Marks> {
      const read = async (conversation: string) => [conversation, (await notes.get(nameOf(conversation))) ?? {}]
      return Object.fromEntries(await Promise.all(conversations.map(read)))
    }

    function nameOf(conversation: string): string {
      return `${marksOf(conversation)}${JSON.stringify(person)}]`
    }

    function tell(from: PreferencesListener | undefined, say: (listener: PreferencesListener) => void) {
      for (const listener of listeners.get(person) ?? []) if (listener !== from) say(listener)
    }

    /** One after the other: each goes on from what the one before has stored. */
    function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
      return turns.add(person, work)
    }
  }
}

function withoutEmpty(marks: Marks): Marks {
  return Object.fromEntries(Object.entries(marks).filter(([, mark]) => Object.keys(mark).length > 0))
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
