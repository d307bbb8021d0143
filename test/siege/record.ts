import type { Era } from '../support/agent.ts'

/** Who takes part, as the dice of the seed have it. */
export interface Role {
  name: string
  /** Below the folder of the siege. */
  folder: string
  client: string
  era: Era
  surface: 'bridge' | 'agent' | 'chat'
  /** What its client calls this run of itself, where it does. */
  run?: string
  /** The conversation that it was told to speak in, with others. */
  session?: string
  /** After so long a call that waits comes back as pending; 0 is never. */
  maxWaitSeconds: number
}

/** One process between an agent and the hub. */
export interface Line {
  agent: string
  n: number
  /** When somebody hurt it so that it ends. */
  endedBy?: { signal: string; at: number }
  /** When it was gone, for whatever reason. */
  goneAt?: number
  stderr(): string
}

/** One call of an agent: what it said, and what its client was answered. */
export interface Call {
  n: number
  line: Line
  tool: string
  /** What the person is shown. Nobody else says these, unless they are said on purpose. */
  words: string
  shared?: true
  /** It waits again for a question, instead of asking. */
  again?: true
  toolUseId?: string
  began: number
  ended?: number
  got?: Got
  failed?: string
  /** Its client gave it up. */
  cancelled?: true
}

/** What an answer brought. */
export interface Got {
  reply?: string
  pending?: string
  /** The words of a stop. */
  stopped?: string
  /** What was said meanwhile, and late replies. */
  earlier: { text: string; in_reply_to?: string }[]
  /** The person's word on an approval. */
  verdict?: { behavior: string; message?: string; updatedInput?: unknown }
  /** What a reader was given. */
  read?: string[]
}

/** What the person at the page did, and what the hub said to it. */
export interface Deed {
  kind: 'answer' | 'post' | 'stop' | 'allow' | 'deny'
  text: string
  conversation: string
  question?: string
  at: number
  accepted?: string
  refused?: string
}

const READ = 'something was read'

export type Record = ReturnType<typeof createRecord>

/** Everything that was done and seen, in plain data and in its order; the judge needs nothing else but the log. */
export function createRecord() {
  const roles: Role[] = []
  const lines: Line[] = []
  const calls: Call[] = []
  const deeds: Deed[] = []
  /** When the owner ended the hub: whoever waited then was told to come back. */
  const stops: { from: number; to?: number }[] = []
  /** What went wrong before anybody looked at the whole. */
  const complaints: string[] = []
  const story: { at: number; who: string; what: string }[] = []
  const started = performance.now()
  const waiting = new Map<string, () => void>()
  let moment = 0
  return {
    roles,
    lines,
    calls,
    deeds,
    stops,
    complaints,
    story,
    now,
    tell,
    begins,
    nextCall,
    nextRead,
    ends,
    fails,
    does,
  }

  /** Grows with everything that happens. */
  function now(): number {
    return ++moment
  }

  function tell(who: string, what: string) {
    story.push({ at: Math.round(performance.now() - started), who, what })
  }

  function begins(call: Omit<Call, 'n' | 'began'>): Call {
    const begun: Call = { ...call, n: calls.length, began: now() }
    calls.push(begun)
    tell(
      call.line.agent,
      `#${begun.n} over line ${call.line.n} ${call.tool}${call.again ? ' again' : ''}${call.toolUseId ? ` (${call.toolUseId})` : ''}: ${call.words}`,
    )
    waiting.get(call.tool)?.()
    return begun
  }

  /** Resolves when somebody calls this next. */
  function nextCall(tool: string): Promise<void> {
    return new Promise((resolve) => waiting.set(tool, resolve))
  }

  /** Resolves when somebody has read something next. */
  function nextRead(): Promise<void> {
    return new Promise((resolve) => waiting.set(READ, resolve))
  }

  function ends(call: Call, got: Got) {
    if (got.read?.length) waiting.get(READ)?.()
    call.ended = now()
    call.got = got
    tell(call.line.agent, `#${call.n} got ${JSON.stringify(got)}`)
  }

  function fails(call: Call, why: string) {
    call.ended = now()
    call.failed = why
    tell(call.line.agent, `#${call.n} ${call.cancelled ? 'was given up' : 'failed'}: ${why}`)
  }

  function does(deed: Omit<Deed, 'at'>): Deed {
    const done: Deed = { ...deed, at: now() }
    deeds.push(done)
    tell('person', `${deed.kind} in ${deed.conversation}: ${deed.text}`)
    return done
  }
}
