import * as z from 'zod/mini'
import type { Carried } from '../frames/delivered-ids.ts'
import { Name } from '../text/text.ts'

/** What a server says of a tool, unproven. */
export const ToolAnnotations = z.looseObject({
  title: z.optional(z.string()),
  readOnlyHint: z.optional(z.boolean()),
  destructiveHint: z.optional(z.boolean()),
  idempotentHint: z.optional(z.boolean()),
  openWorldHint: z.optional(z.boolean()),
})
export type ToolAnnotations = z.infer<typeof ToolAnnotations>

/** A call of a mounted tool, as it is decided about. */
export interface ToolCallSubject {
  /** The name of the mount, and the tool's own name there. */
  server: string
  tool: string
  arguments: Record<string, unknown>
  annotations?: ToolAnnotations
  /** The id of who calls. */
  principal: string
  /** The client's own name, and the whole folder that it is proven to work in, as cards show them. */
  agent?: string
  folder?: string
  conversation?: string
  /** The time, in milliseconds since 1970. */
  at: number
  /** The caller's folder, which rules call `./`. */
  cwd?: string
  /** The folders that the tool may open a relative path from; absent where nobody knows. */
  bases?: readonly string[]
  /** The agent runs it itself, where nothing of it can be measured. */
  isOwn?: boolean
}

/** The caller at the gateway, as rules and views mean it. */
export type Caller = Pick<ToolCallSubject, 'principal' | 'agent' | 'folder' | 'cwd'>

/** What a server offers, as rules name it; with the arguments where it has no others. */
export type Offered = Pick<ToolCallSubject, 'server' | 'tool' | 'annotations' | 'bases'> &
  Partial<Pick<ToolCallSubject, 'arguments'>>

/** What the rules deny an agent whatever else is the case. */
export type OutOfReach = (caller: Caller) => (offered: Offered) => boolean

/** `deny_continue`: the agent goes on without it. `deny_abort`: its turn ends. */
export const Decision = z.enum(
  ['allow', 'ask', 'deny_continue', 'deny_abort'],
  'must be allow, ask, deny_continue or deny_abort',
)
export type Decision = z.infer<typeof Decision>

/** Limits for each tool and each agent. */
export interface CallLimit {
  calls?: { most: number; ms: number; each: string }
  /** The size in bytes, as JSON. */
  arguments?: number
  result?: number
  /** How long it may run, in milliseconds. */
  time?: number
}

export interface PolicyDecision {
  decision: Decision
  /** Absent where no rule matched. */
  rule?: { id: string; line?: number; note?: string }
  reason?: string
  /** How long a person has who is asked, in milliseconds. */
  deadline?: number
  limit?: CallLimit
}

/** What a server gave back, as it is. */
export type CallResult = Record<string, unknown>

/** How a call ended: with what its server gave, or without. */
export type Ending = { result: CallResult } | { error: unknown }

/** A hash of what a server says of a tool, and its annotations. */
export interface ToolNow {
  fingerprint: string
  annotations?: ToolAnnotations
}

/** A mounted tool, as far as it is known by now. */
export interface MountedAs extends Partial<ToolNow> {
  server: string
  tool: string
  /** Its caller does not see it: it is none. */
  isHidden?: boolean
}

/** A call of a mounted tool that wants to run. */
export interface MountedCall {
  subject: ToolCallSubject & { conversation: string }
  /** The name that clients call the tool by, and a hash of what its server says of it. */
  shown: string
  fingerprint: string
  /** What the caller's program calls itself, where it is proven to work, and its visit. */
  by: string
  folder?: string
  visit?: string
  /** The conversation's title when this call begins it. */
  title?: string
  /** The same when the same call is made again, and whether it was made before, where its line tells. */
  key?: string
  isRepeated?: boolean
  /** Its tool is not there now: nothing of it can run, but it may have run before. */
  isGone?: boolean
  /** How long its client waits for a person. */
  waitMs?: number
  signal: AbortSignal
  /** It calls no tool: its answer has no room for anything else. */
  isRequest?: boolean
  /** The tool as its server describes it now; nothing where it is gone. */
  now(): Promise<ToolNow | undefined>
  /**
   * The answer, which may only say what the server wants to know first; `over` hears, and is waited for, when it is
   * over. `expiry` ends it with its reason.
   */
  run(input: Record<string, unknown>, over: (ending: Ending) => unknown, expiry?: AbortSignal): Promise<CallResult>
  /** Keeps the client waiting meanwhile. */
  keepWaiting<Result>(work: () => Promise<Result>): Promise<Result>
  /** Hears whether what the answer brings besides has arrived, and whether its caller let it fall then. */
  carry(carried: Carried): void
}

/** What becomes of a call: it runs, or an error says why not. */
export type Govern = (call: MountedCall) => Promise<CallResult>

/** A call whose caller has gone. */
export interface LoneCall {
  server: string
  tool: string
  fingerprint: string
  arguments: Record<string, unknown>
}

/** Calls whose callers have gone. */
export interface LoneCalls {
  /** Nothing where its caller is not to see it. */
  now(tool: Pick<LoneCall, 'server' | 'tool'> & Caller): Promise<ToolNow | undefined>
  /** Runs a tool if it is what it was. */
  run(call: LoneCall, expiry?: AbortSignal): Promise<CallResult>
}

export const MountStatus = z.enum(['starting', 'ready', 'needs sign-in', 'failed', 'paused'])
export type MountStatus = z.infer<typeof MountStatus>

/**
 * A tool of a mount: its own name, the one that clients call, a hash of what it says of itself, and its annotations.
 */
export const MountedTool = z.object({
  name: z.string(),
  shown: z.string(),
  fingerprint: z.string(),
  annotations: z.optional(ToolAnnotations),
})
export type MountedTool = z.infer<typeof MountedTool>

/** A mount as people and programs see it. */
export const MountState = z.object({
  name: Name,
  transport: z.enum(['stdio', 'http']),
  state: MountStatus,
  /** One sentence that says why it failed, and what is done about it. */
  problem: z.optional(z.string()),
  /** Whether a person has to sign in to it, or again for more. */
  sign_in: z.boolean(),
  tools: z.number(),
  /** The time of the last change of state, in milliseconds since 1970. */
  since: z.number(),
  fingerprints: z.array(MountedTool),
  /** The folders that its tools may open a relative path from; absent where nobody knows. */
  bases: z.optional(z.array(z.string())),
})
export type MountState = z.infer<typeof MountState>
