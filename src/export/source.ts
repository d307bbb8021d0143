import type { KnownConversations } from '../chat/reading/find-conversation.ts'
import type { Entry } from '../protocol/entries/entry.ts'

/** A source of conversations: a running chat, or a log that nobody uses. */
export interface Source extends KnownConversations {
  /** Entries as they stand in the log. */
  logged(conversation: string, range: { after: string; limit: number }): Promise<{ entries: Entry[] }>
}
