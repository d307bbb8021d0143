/** A call of a tool that a person allowed or denied. */
export interface DecidedCall {
  tool_name: string
  /** The mounted server that it is of, and its own name there. */
  server?: string
  tool?: string
  /** Its arguments as JSON text, as the person may have changed them. */
  input: string
  /** The principal that asked; unknown in what an older Parley stored. */
  asker?: string
  /** The client's own name, and the folder that it was proven to work in. */
  agent?: string
  folder?: string
  conversation: string
  at: number
  outcome: 'approved' | 'denied'
  /** The person. */
  by: string
}

/** The address at which a hub shows its owner all of them, one a line. */
export const DECIDED_CALLS_PATH = '/api/decided-calls'
