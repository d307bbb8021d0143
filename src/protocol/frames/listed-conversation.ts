/** A conversation in a list of all of them. */
export interface ListedConversation {
  session_id: string
  title: string
  /** The agent that spoke or acted last, as it calls itself. */
  agent?: string
  folder?: string
  /** The time of its last entry, in milliseconds since 1970. */
  at: number
  /** How many questions are open. */
  open: number
  preview: string
}

/** The address at which a hub shows its owner all of them, one a line. */
export const CONVERSATIONS_PATH = '/api/conversations'
