import { hash } from 'node:crypto'
import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type ContentBlock,
  type Implementation,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { ParleyError } from '../protocol/errors.ts'
import { parse } from '../protocol/parse.ts'
import { type Capability, can, mustBeAble, type Principal } from '../protocol/principal.ts'
import { Name } from '../protocol/text.ts'
import { VERSION } from '../protocol/version.ts'
import { type Carried, createDepartures, type Departure, type DepartureParts } from './departure.ts'

/** As long as a hello may make it. */
const RUN_LENGTH = 200

/** Who calls a tool, and how to reach them while it runs. */
export interface Caller {
  client: string
  principal: Principal
  signal: AbortSignal
  /** The same when the same call is made again, where the client or its line tells. */
  callKey?: string
  /** How long the call had waited at other hubs when it came here. */
  waitedMs: number
  /** What its client calls the run of itself that calls, where it tells with each call. */
  run?: string
  /** Takes along what the answer holds for the agent, which is told whether it arrived. */
  carry(parcel: Carried): void
  /** Puts something beside the answer, where there is room for more than the answer. */
  enclose?(block: ContentBlock): void
  /** Tells the caller that the call is alive; absent when the caller did not ask for it. */
  tellProgress?(progress: number, message: string): Promise<void>
}

export interface Tool<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  name: string
  /** Servers whose name documents put before its own; see `toolNamed`. */
  servers?: string[]
  title: string
  description: string
  /** What its callers must be able to do. */
  needs: Capability
  /** Why it should not be used any more, and what in its place. */
  deprecated?: string
  /** Called all the time, so that only who wants to see everything is told of each call. */
  often?: true
  input: Input
  /** Puts right what callers often write in another way; schemas with alternatives break some clients. */
  tidy?(input: object): object
  output?: z.ZodMiniObject
  /** Answers with one text and no data beside it, because its caller's contract wants exactly that. */
  bare?: true
  call(input: z.output<Input>, caller: Caller): Promise<Answer>
}

/** The same as text and as data: some clients show the model only the one, some only the other. */
export type Answer = Record<string, unknown>

export interface Surface {
  name: string
  instructions: string
  tools: Tool[]
  /** What can be called besides, and is not listed. */
  unlisted?: Tool[]
  /** Callers are shown only what their role may use. */
  byRole?: true
  /** Serves the resources it has, if it has any. */
  serve?(server: Server): void
}

/** A call, as whoever watches the hub sees it. */
export interface WatchedCall {
  tool: string
  /** Why the tool should not be used any more. */
  deprecated?: string
  often?: true
  caller: Pick<Caller, 'client' | 'principal' | 'signal'>
  input: unknown
  /** By `performance.now()`. */
  started: number
}

/** Lets a call in, or throws why not; what it returns is told how the call ended. */
export type AdmitCall = (call: WatchedCall) => TellEnd | Promise<TellEnd>
export type TellEnd = (end: { answer: Answer } | { error: unknown }) => void

/** Keeps the compiler's knowledge of a tool's own input while tools of all kinds share one list. */
export function tool<Input extends z.ZodMiniObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool
}

/** What is known of a request that may come again, from a line that lost its hub. */
export interface Repeated {
  key?: string
  waitedMs?: number
}

interface ToolRequest {
  params: { name: string; arguments?: Record<string, unknown> }
}

export interface ServerParts extends DepartureParts {
  admit?: AdmitCall
  repeatOf?(id: RequestId): Repeated | undefined
}

/** One server for one connection, session or request; the surface is the same for both protocol eras. */
export function buildServer(surface: Surface, principal: Principal, parts: ServerParts = {}): Server {
  const { name, instructions } = surface
  const server = new Server({ name, title: 'Parley', version: VERSION }, { capabilities: { tools: {} }, instructions })
  surface.serve?.(server)
  const { list, call } = createToolHandlers(server, surface, principal, parts)
  server.setRequestHandler('tools/list', list)
  server.setRequestHandler('tools/call', call)
  return server
}

/** What a server of the surface does when its tools are listed or called. */
export function createToolHandlers(
  server: Server,
  surface: Surface,
  principal: Principal,
  { admit, repeatOf, ...leaving }: ServerParts = {},
) {
  const tools = toolsOf(surface)
  const shown = surface.tools.filter(({ needs }) => !surface.byRole || can(principal, needs))
  const departures = createDepartures(server, leaving)
  const bare = new Set(tools.filter((tool) => tool.bare).map((tool) => tool.name))
  return { list: async () => ({ tools: shown.map(listed) }), call, callerOf: callerIn }

  /** For calls of what is none of its own tools. */
  function callerIn(context: ServerContext): Caller & { isRepeated: boolean } {
    let departure: Departure | undefined
    const carry = (parcel: Carried) => {
      departure ??= departures.prepare(context)
      departure.carry(parcel)
    }
    const repeated = repeatOf?.(context.mcpReq.id)
    return { ...callerOf(server, context, principal, repeated), carry, isRepeated: repeated?.waitedMs !== undefined }
  }

  async function call({ params }: ToolRequest, context: ServerContext): Promise<CallToolResult> {
    const { carry, cancel } = departures.prepare(context)
    try {
      const enclosed: ContentBlock[] = []
      const enclose = bare.has(params.name) ? undefined : (block: ContentBlock) => enclosed.push(block)
      const caller = { ...callerOf(server, context, principal, repeatOf?.(context.mcpReq.id)), carry, enclose }
      const answer = await callTool(tools, params.name, params.arguments, caller, admit)
      const content: ContentBlock[] = [{ type: 'text', text: JSON.stringify(answer) }, ...enclosed]
      return bare.has(params.name) ? { content } : { content, structuredContent: answer }
    } catch (error) {
      cancel()
      if (!(error instanceof ParleyError)) throw error
      if (error.code === 'unknown_tool') throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
      return { content: [{ type: 'text', text: error.message }], isError: true }
    }
  }
}

/** Everything that can be called there. */
export function toolsOf({ tools, unlisted = [] }: Surface): Tool[] {
  return [...tools, ...unlisted]
}

/** The one way into a tool, over MCP or REST: it exists, the caller may use it, and the input is valid. */
export async function callTool(
  tools: Tool[],
  name: string,
  input: unknown,
  caller: Caller,
  admit: AdmitCall = () => () => {},
): Promise<Answer> {
  const called = toolNamed(tools, name)
  const { name: tool = 'unknown', deprecated, often } = called ?? {}
  const tellEnd = await admit({ tool, deprecated, often, caller, input, started: performance.now() })
  try {
    if (!called) throw new ParleyError('unknown_tool', { tool: name })
    const answer = await perform(called, input, caller)
    tellEnd({ answer })
    return answer
  } catch (error) {
    tellEnd({ error })
    throw error
  }
}

/**
 * Documents write dots, which break the rules of clients for names, and put the name of a server before that of its
 * tool: such names are never listed, and mean the same. Only tools that name their servers have them.
 */
export function toolNamed(tools: Tool[], name: string): Tool | undefined {
  const plain = name.replaceAll('.', '_')
  return tools.find(
    (tool) =>
      tool.name === name || tool.servers?.some((server) => [tool.name, `${server}_${tool.name}`].includes(plain)),
  )
}

async function perform(called: Tool, input: unknown, caller: Caller): Promise<Answer> {
  mustBeAble(caller.principal, called.needs)
  return called.call(parse(called.input, called.tidy?.(input ?? {}) ?? input ?? {}), caller)
}

function callerOf(
  server: Server,
  context: ServerContext,
  principal: Principal,
  { key, waitedMs = 0 }: Repeated = {},
): Omit<Caller, 'carry'> {
  const { mcpReq } = context
  const progressToken = mcpReq._meta?.progressToken
  const tellProgress = async (progress: number, message: string) =>
    mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: progressToken ?? '', progress, message },
    })
  return {
    client: clientName(server, context),
    principal,
    signal: mcpReq.signal,
    callKey: keyed('call', mcpReq._meta?.['claudecode/toolUseId']) ?? keyed('line', key),
    waitedMs,
    run: runIn(mcpReq._meta?.threadId),
    tellProgress: progressToken === undefined ? undefined : tellProgress,
  }
}

/** Leaves room for what tells several questions of one call apart. */
const KEY_LENGTH = 180

function keyed(kind: string, id: unknown): string | undefined {
  const { data } = Name.safeParse(id)
  if (data === undefined) return undefined
  return `${kind}:${data.length > KEY_LENGTH ? hash('sha256', data) : data}`
}

function runIn(id: unknown): string | undefined {
  return typeof id === 'string' && id.length <= RUN_LENGTH && id !== '' ? id : undefined
}

/** 2026-era requests name their client each time, 2025-era ones once for all. */
export function clientName(server: Server, { mcpReq }: ServerContext): string {
  const envelope = mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: Implementation } | undefined
  return nameOf(envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion())
}

export function nameOf(client: { name?: unknown } | undefined): string {
  return Name.safeParse(client?.name).data ?? 'agent'
}

function listed({ name, title, description, input, output }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    outputSchema: output && schemaOf(output),
    // Claude hides tools behind a search unless they say otherwise.
    _meta: { 'anthropic/alwaysLoad': true },
    // Talking changes nothing on the machine: clients that ask before every other call need not ask for this one.
    annotations: { readOnlyHint: true },
  }
}

function schemaOf(schema: z.ZodMiniObject) {
  return z.toJSONSchema(schema, { io: 'input' }) as { type: 'object' }
}
