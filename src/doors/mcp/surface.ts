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
import type * as z from 'zod/mini'
import type { AdmittedCall } from '../../ops/telemetry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Carried } from '../../protocol/frames/delivered-ids.ts'
import { parse } from '../../protocol/parse.ts'
import { type Capability, can, mustBeAble, type Principal } from '../../protocol/principal.ts'
import { nameIn } from '../../protocol/text/name.ts'
import { type Called, keyed, keyOfCall } from './call-key.ts'
import { createDepartures, type Departure, type DepartureParts } from './departure.ts'
import { serverInfo } from './introduction.ts'
import { listed } from './listed-tool.ts'
import type { PlaceOf } from './place.ts'
import type { CallContext, ShortWayParts } from './short-way.ts'

/** The same length as in a hello. */
const RUN_LENGTH = 200

/** The caller of a tool, and how to reach it while the tool runs. */
export interface Caller {
  client: string
  /** The principal, with the conversation that it speaks in. */
  principal: Principal
  /** The folder that it is proven to work in, and its visit; see `Place`. */
  folder?: string
  visit?: string
  signal: AbortSignal
  /** The same when the same call is made again, where the client or its line tells. */
  callKey?: string
  /** The same only when its line repeats the call: the ids that clients give may come again. */
  lineKey?: string
  /** How long the call had waited at other hubs when it came here, and whether it was there at all. */
  waitedMs: number
  isRepeated?: boolean
  /** The client's name for the run that calls, where it tells with each call. */
  run?: string
  /** Whether it ended because its connection did, and may be made again. */
  isCutOff?(): boolean
  /** Takes along what the answer holds for the agent, which is told whether it arrived. */
  carry(delivery: Carried): void
  /** Puts something beside the answer, where there is room for more than the answer. */
  enclose?(block: ContentBlock): void
  /** Tells the caller that the call is alive; absent when the caller did not ask for it. */
  tellProgress?(progress: number, message: string): Promise<void>
}

export interface Tool<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  name: string
  /** Servers whose name documents put before its own; see `toolNamed`. */
  servers?: string[]
  /** Another name for it in the documents. */
  also?: string
  title: string
  description: string
  /** The capability its callers need. */
  needs: Capability
  /** Why it should not be used any more, and what in its place. */
  deprecated?: string
  /** Called all the time, so that only the most detailed log shows each call. */
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
  /** Further tools that can be called and are not listed. */
  unlisted?: Tool[]
  /** Callers are shown only what their role may use. */
  byRole?: true
  /** Serves the resources it has, if it has any. */
  serve?(server: Server): void
}

/** Lets a call in, or throws why not; what it returns is told how the call ended. */
export type AdmitCall = (call: AdmittedCall) => TellEnd | Promise<TellEnd>
type TellEnd = (end: { answer: Answer } | { error: unknown }) => void

/** Keeps the compiler's knowledge of a tool's own input while tools of all kinds share one list. */
export function tool<Input extends z.ZodMiniObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool
}

/** Facts about a request that may come again, from a line that lost its hub. */
export interface Repeated {
  key?: string
  waitedMs?: number
}

interface ToolRequest {
  params: Called
}

export interface ServerParts extends DepartureParts {
  /** Without it, nobody here has a conversation of its own. */
  placeOf?: PlaceOf
  admit?: AdmitCall
  /** Hears the name of the client that looks at the tools. */
  met?(client: string): void
  repeatOf?(id: RequestId): Repeated | undefined
  /** Whether the connection has ended, of one whose client may come again. */
  isCutOff?(): boolean
  /** Takes a shorter way for calls of its tools. */
  offers?(shortWay: ShortWayParts): void
}

/** One server for one connection, session or request; the surface is the same for both protocol eras. */
export function buildServer(surface: Surface, principal: Principal, parts: ServerParts = {}): Server {
  const { name, instructions } = surface
  const info = serverInfo(name)
  const server = new Server(info, { capabilities: { tools: {} }, instructions })
  surface.serve?.(server)
  const { list, call, depart } = createToolHandlers(server, surface, principal, parts)
  server.setRequestHandler('tools/list', (_, context) => {
    parts.met?.(clientName(server, context))
    return list()
  })
  let envelope: unknown
  server.setRequestHandler('tools/call', (request, context) => {
    envelope = context.mcpReq.envelope
    return call(request, context)
  })
  const notify: CallContext['mcpReq']['notify'] = (notification) => server.notification(notification)
  const hasClient = () => server.getClientVersion() !== undefined
  parts.offers?.({ call, depart, notify, hasClient, envelope: () => envelope, serverInfo: info })
  return server
}

/** What a server of the surface does when its tools are listed or called. */
export function createToolHandlers(
  server: Server,
  surface: Surface,
  principal: Principal,
  { admit, repeatOf, isCutOff, placeOf, ...leaving }: ServerParts = {},
) {
  const tools = toolsOf(surface)
  const shown = surface.tools.filter(({ needs }) => !surface.byRole || can(principal, needs))
  const departures = createDepartures(server, leaving)
  const bare = new Set(tools.filter((tool) => tool.bare).map((tool) => tool.name))
  return { list: async () => ({ tools: shown.map(listed) }), call, callerOf: callerIn, depart: departures.depart }

  /** The caller of something that is none of its own tools. */
  function callerIn(called: Called, context: ServerContext): Caller {
    let departure: Departure | undefined
    const carry = (delivery: Carried) => {
      departure ??= departures.prepare(context)
      departure.carry(delivery)
    }
    const repeated = repeatOf?.(context.mcpReq.id)
    return { ...callerOf(called, server, context, { principal, placeOf, repeated }), carry }
  }

  async function call({ params }: ToolRequest, context: CallContext): Promise<CallToolResult> {
    const { carry, cancel } = departures.prepare(context)
    try {
      const enclosed: ContentBlock[] = []
      const enclose = bare.has(params.name) ? undefined : (block: ContentBlock) => enclosed.push(block)
      const caller = {
        ...callerOf(params, server, context, { principal, placeOf, repeated: repeatOf?.(context.mcpReq.id) }),
        isCutOff,
        carry,
        enclose,
      }
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
  const admitted = admit({ tool, deprecated, often, caller, input, started: performance.now() })
  const tellEnd = typeof admitted === 'function' ? admitted : await admitted
  let answer: Answer
  try {
    if (!called) throw new ParleyError('unknown_tool', { tool: name })
    answer = await perform(called, input, caller)
  } catch (error) {
    tellEnd({ error })
    throw error
  }
  tellEnd({ answer })
  return answer
}

/**
 * Documents write dots, which break the rules of clients for names, and put the name of a server before that of its
 * tool: such names are never listed, and mean the same. Only tools that name their servers have them.
 */
export function toolNamed(tools: Tool[], name: string): Tool | undefined {
  const listed = tools.find((tool) => tool.name === name)
  if (listed) return listed
  const plain = name.replaceAll('.', '_')
  return tools.find(({ name: own, servers = [], also = own }) => {
    const names = [own, also].flatMap((one) => [one, ...servers.map((server) => `${server}_${one}`)])
    return servers.length > 0 && names.includes(plain)
  })
}

function perform(called: Tool, input: unknown, caller: Caller): Promise<Answer> {
  mustBeAble(caller.principal, called.needs)
  return called.call(parse(called.input, called.tidy?.(input ?? {}) ?? input ?? {}), caller)
}

function callerOf(
  called: Called,
  server: Server,
  context: CallContext,
  { principal, placeOf, repeated = {} }: { principal: Principal; placeOf?: PlaceOf; repeated?: Repeated },
): Omit<Caller, 'carry'> {
  const { mcpReq } = context
  const { key, waitedMs } = repeated
  const [client, run] = [clientName(server, context), runIn(mcpReq._meta?.threadId)]
  const { home, folder, visit } = placeOf?.({ client, run }) ?? {}
  const lineKey = key === undefined ? undefined : keyed('line', key)
  const progressToken = mcpReq._meta?.progressToken
  const tellProgress = async (progress: number, message: string) =>
    mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: progressToken ?? '', progress, message },
    })
  return {
    client,
    principal: home ? { ...principal, home } : principal,
    folder,
    visit,
    signal: mcpReq.signal,
    callKey: keyOfCall(mcpReq._meta?.['claudecode/toolUseId'], visit, called) ?? lineKey,
    lineKey,
    waitedMs: waitedMs ?? 0,
    isRepeated: waitedMs !== undefined,
    run,
    tellProgress: progressToken === undefined ? undefined : tellProgress,
  }
}

function runIn(id: unknown): string | undefined {
  return typeof id === 'string' && id.length <= RUN_LENGTH && id !== '' ? id : undefined
}

/** 2026-era requests name their client each time, 2025-era ones once for all. */
export function clientName(server: Server, { mcpReq }: CallContext): string {
  const envelope = mcpReq.envelope as { [CLIENT_INFO_META_KEY]?: Implementation } | undefined
  return nameOf(envelope?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion())
}

export function nameOf(client: { name?: unknown } | undefined): string {
  return nameIn(client?.name) ?? 'agent'
}
