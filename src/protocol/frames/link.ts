import * as z from 'zod/mini'
import { Name } from '../text/text.ts'
import type { MountState } from '../tools/gateway.ts'
import type { PolicyNews } from '../tools/policy.ts'
import { DeliveredIds } from './delivered-ids.ts'
import { SURFACES } from './surface-name.ts'

export { DeliveredIds } from './delivered-ids.ts'

/*
 * What goes over the socket of a data folder: one JSON object a line, in UTF-8. Who connects says first what for: a
 * line says hello, the owner's commands give an order. What starts with a letter instead is HTTP, from the owner.
 */

/** Looked at no further here: whoever gets it does that. */
const Rpc = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

const Run = z.string().check(z.maxLength(200))

/** A conversation that an agent of a client was in, and its run. */
export const PlaceTaken = z.object({ conversation: Name, run: z.optional(Run) })
export type PlaceTaken = z.infer<typeof PlaceTaken>

/** The line, and what it would like. */
export const Hello = z.object({
  format: z.int(),
  /** The version of the Parley that the line is from. */
  version: z.string().check(z.maxLength(50)),
  /** The same when the same line comes again. */
  line: Name,
  surface: z.enum(SURFACES),
  /** The conversation it speaks in, when one was named. */
  conversation: z.optional(Name),
  /** The one that a hub gave it, where none was named. */
  own: z.optional(Name),
  /**
   * The start of its process, in milliseconds since 1970: an agent that was there beside another one is not that one.
   */
  began: z.optional(z.number()),
  /** What a new conversation is called. */
  title: Name,
  /** The folder of its agent; file names start there. */
  folder: z.string(),
  /**
   * Set at the gateway when its agent is driven and gets other tools to talk with, or none. An older hub does not know
   * it.
   */
  driven: z.optional(z.enum(['agent', 'model'])),
  /** The client's name for this run of itself, so that the run goes on in its conversation after a restart. */
  run: z.optional(Run),
  /** Another port for the page. */
  port: z.optional(z.int().check(z.minimum(1), z.maximum(65_535))),
  max_wait_seconds: z.optional(z.int().check(z.minimum(0))),
  token: z.optional(z.string()),
  /** Shows that it can read the data folder, and not only open its socket. */
  key: z.optional(z.string()),
  /**
   * The ids in answers that its client has, and after which no other call was answered. They count, whichever hub gave
   * them.
   */
  slips: z.optional(z.array(DeliveredIds)),
  /** The client's own name, and where its agents were, so that they are there again before they call. */
  client: z.optional(Name),
  seats: z.optional(z.array(PlaceTaken)),
  /** Settings of the hub that somebody asked for, by their flags. */
  wants: z.record(z.string(), z.string()),
  /** Tokens from the environment that the hub should know, as `PARLEY_TOKENS` holds them. */
  tokens: z.optional(z.string()),
})
export type Hello = z.infer<typeof Hello>

/** The most frequent ones come first: they are tried in this order. */
export const FromLine = z.union([
  /** A message of its client. A request has a key, the same when it is repeated, and says how long it has waited. */
  z.object({ mcp: Rpc, key: z.optional(Name), waited_ms: z.optional(z.number().check(z.minimum(0))) }),
  /**
   * The answer to the request with this key was written to its client. For one that came before this connection: its
   * delivered ids.
   */
  z.object({ got: Name, slips: z.optional(z.array(DeliveredIds)) }),
  /** Its process is told to end: calls that wait are answered, and may come back. */
  z.object({ ending: z.literal(true) }),
  /** Its client is gone. A line that goes without this word may come back. */
  z.object({ bye: z.literal(true) }),
  z.object({ hello: Hello }),
])
export type FromLine = z.infer<typeof FromLine>

/** An order about a server that is mounted, or is to be. */
export const MountOrder = z.object({
  order: z.literal('mount'),
  act: z.enum(['add', 'remove', 'pause', 'resume', 'list', 'logs', 'login', 'signed_in', 'logout']),
  /** The mount, for every act but `list`. */
  name: z.optional(z.string()),
  /** The server to add, as it stands in `mcpServers` of a file. */
  config: z.optional(z.unknown()),
})
export type MountOrder = z.infer<typeof MountOrder>

/**
 * An order from the owner's commands, sent instead of hello: report, end in good order, remove files that no
 * conversation names, forget a conversation, manage a mount.
 */
export const Order = z.union([
  z.object({ order: z.enum(['status', 'stop', 'gc']) }),
  /** The conversation's name, or a title that only it has. */
  z.object({ order: z.literal('forget'), conversation: Name }),
  MountOrder,
])
export type Order = z.infer<typeof Order>

export interface Welcome {
  version: string
  pid: number
  /** The page's address, at the port that the line asked for, if it was free. */
  url: string
  /** The settings, by their flags, that are others than the line asked for. */
  other: string[]
  /** The port that the line asked for and another program has. */
  port_taken?: number
  /** Why the port that it asked for is not opened. */
  port_refused?: string
}

/**
 * Why a hub says goodbye: `stopped` by its owner, so that nobody starts another before it is needed; `handing_over` to
 * a newer Parley, which gets a moment to start; `ending` for any other reason, and the next one is started at once.
 */
export type Farewell = 'stopped' | 'handing_over' | 'ending'

/** Frames to a line, or to whoever gave an order. */
export type FromHub =
  | { welcome: Welcome }
  /** One sentence that says what to do; the connection ends. */
  | { refused: string }
  /**
   * `slips`: the ids of what an answer brings, where the hub wants to hear that it has arrived. The message comes last,
   * so that it can be passed on as it is.
   */
  | { slips?: DeliveredIds[]; mcp: Record<string, unknown> }
  /** The conversation that the line speaks in, for it to name to the next hub. */
  | { conversation: string }
  /** Its agent is there, for it to tell the next hub. */
  | { seated: PlaceTaken }
  | { beat: true }
  | { bye: Farewell }
  | { status: HubStatus }
  /** The connection ends when the hub has ended. */
  | { stopping: true }
  /** Nobody sees it any more. The connection ends when nothing is left of it. */
  | { forgetting: true }
  /** The mounts after an order for them was carried out. */
  | { mounts: MountState[]; problem?: string }
  | { lines: string[] }
  /** What a person has to open to sign in. */
  | { address: string }
  /** The number and the size of the removed files. */
  | { collected: { files: number; bytes: number } }

export interface HubStatus {
  version: string
  pid: number
  url: string
  /** The ports that agents asked for and it listens on. */
  more_ports: number[]
  /** The time when it was opened, in milliseconds since 1970. */
  since: number
  /** How many seconds it stays when everybody is gone; absent when it stays. */
  keep_seconds?: number
  lines: { client?: string; conversation: string; folder: string; since: number }[]
  /** Agents that came by HTTP, by their conversations. */
  agents: string[]
  /** Open WebSockets. */
  pages: number
  /** Absent until it has opened. */
  policy?: PolicyNews
  /** Whether people sign in. Absent until it has opened. */
  protected?: boolean
}
