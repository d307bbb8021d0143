import * as z from 'zod/mini'
import type { Caller } from './gateway.ts'

const pattern = z.string('must be text').check(z.maxLength(1000, 'is longer than 1000 characters'))
const tools = z.array(pattern.check(z.minLength(1, 'must not be empty')), 'must be a list of patterns of tools')

/**
 * What some agents see of the mounted servers: those that call themselves so, work there or have this token. Each
 * server, or `*` for all that are not named, with the patterns of its tools.
 */
export const ToolView = z.strictObject(
  {
    agent: z.optional(pattern),
    folder: z.optional(pattern),
    token: z.optional(pattern),
    servers: z.record(z.string(), tools, 'must be an object: the name of each server, and its tools'),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `has "${issue.keys.join('", "')}"; a view has ${KEYS}` : undefined,
  },
)
export type ToolView = z.infer<typeof ToolView>

const KEYS = '"agent", "folder", "token" and "servers"'

/** The first that is for an agent counts; who has none sees everything. */
export const ToolViews = z.array(ToolView, 'must be a list of views')
export type ToolViews = z.infer<typeof ToolViews>

/** Whether an agent sees a tool of a server. */
export type Sees = (server: string, tool: string) => boolean

/** What agents see. */
interface SeenByAgents {
  /** What an agent sees by the first view that is for it. */
  seenBy(caller: Caller): Sees
  /** Whether one whose client is not known yet sees something of a server, whoever it turns out to be. */
  isNamedTo(caller: Caller, server: string): boolean
}

/** Reads views that fit their schema; throws where a pattern means nothing. */
export type ReadViews = (views: ToolViews) => SeenByAgents
