import type { MarkChange, SavedReply } from '../../protocol/frames/preferences.ts'
import type { PreferencesListener } from './preference-listeners.ts'
import type { PreferencesStore } from './preferences-store.ts'
import type { Marks } from './stored-preferences.ts'

interface PreferencesParts {
  preferences: ReturnType<PreferencesStore['of']>
  maySee(conversation: string): boolean
  mustSee(conversation: string): Promise<void>
}

export type Preferences = ReturnType<typeof preferencesFor>

/** The preferences of one person as one of their connections may use them; the others are told of what it changes. */
export function preferencesFor({ preferences, maySee, mustSee }: PreferencesParts) {
  let told: PreferencesListener | undefined
  return { atHand, letGo: preferences.letGo, show: preferences.show, marks, change, keepReply, dropReply, follow }

  /** Conversations that are listed however old they are. */
  async function atHand(): Promise<string[]> {
    return (await preferences.atHand()).filter(maySee)
  }

  function marks(conversations: string[]): Promise<Marks> {
    return preferences.marks(conversations.filter(maySee))
  }

  function change(changes: Record<string, MarkChange>): Promise<Marks> {
    return preferences.change(changes, { admit: mustSee, from: told })
  }

  function keepReply(reply: SavedReply, insteadOf?: string) {
    return preferences.keepReply(reply, insteadOf, told)
  }

  function dropReply(name: string) {
    return preferences.dropReply(name, told)
  }

  /** Follows what is changed elsewhere. */
  function follow({ marks, replies }: PreferencesListener): { close(): void } {
    told = {
      replies,
      marks(all) {
        const own = Object.entries(all).filter(([conversation]) => maySee(conversation))
        if (own.length > 0) marks(Object.fromEntries(own))
      },
    }
    return preferences.follow(told)
  }
}
