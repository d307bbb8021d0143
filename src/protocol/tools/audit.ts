/** One call of a tool, from all that the log says of it. */
export interface AuditedCall {
  /** The time when it was first heard of. */
  at: number
  /** The entries that tell of it. */
  entries: string[]
  conversation: string
  call_id?: string
  agent: string
  server: string
  tool: string
  arguments: string
  /** `told`: the agent told of it, and nobody was asked. */
  decision: 'allow' | 'deny_continue' | 'deny_abort' | 'deny' | 'waiting' | 'expired' | 'withdrawn' | 'told'
  /** The person who decided. */
  by?: string
  /** The rule of the policy that decided, by its id. */
  rule?: string
  /** The person had allowed the tool for good. */
  always?: true
  reason?: string
  success?: boolean
  duration_ms?: number
  result?: string
  /** Arguments that were too long for the log, as a file of this hash. */
  arguments_file?: string
  /** Secrets that were not stored. */
  masked?: number
}

/** A problem with the chain, and where it is. */
export interface AuditProblem {
  problem:
    | 'broken'
    | 'changed'
    | 'missing'
    | 'unlinked'
    | 'unreadable'
    | 'no_such_head'
    | 'cut'
    | 'replaced'
    | 'file_missing'
    | 'file_changed'
  /** The link, by its number and therefore the line of the file. */
  link?: number
  /** The last one, of several. */
  to?: number
  entry?: string
  kind?: string
  /** The kept file that the entry names, by its hash. */
  file?: string
}

export interface AuditVerified {
  /** How many links there are, and the hash of the last one. */
  links: number
  head: string
  /** Entries of conversations that were forgotten. */
  forgotten: number
  /** Entries that came after the last link: the hub ended before it could link them. */
  pending: number
  problems: AuditProblem[]
  /** The number of those that are not listed. */
  more: number
}

/** The address at which a hub shows its owner all calls, one a line, and whether its chain is whole. */
export const AUDIT_PATH = '/api/audit'
export const AUDIT_VERIFY_PATH = '/api/audit/verify'
