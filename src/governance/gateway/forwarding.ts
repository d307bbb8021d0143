import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { ERRORS, ParleyError } from '../../protocol/errors.ts'
import { ifRefused, isRefusal } from '../../protocol/refusal.ts'
import { isRecord } from '../../protocol/text/record.ts'
import type { Caller, Ending, Govern } from '../../protocol/tools/gateway.ts'
import { promptIn, requestOf } from '../../protocol/tools/mounted-requests.ts'
import { createCaller } from './calls/caller.ts'
import type { HeldCalls } from './calls/held-calls.ts'
import { type Calling, mountedCall, seenBy } from './calls/mounted-call.ts'
import type { ToolItem } from './catalog.ts'
import type { Gateway } from './gateway.ts'
import type { List, TellListed } from './listed.ts'
import { createForwardedResources, type OwnResources } from './resources.ts'
import { withShownUris } from './shown.ts'
import type { Raw } from './upstream/upstream.ts'

/** The tools that are the gateway's own. */
interface OwnTools {
  has(name: string): boolean
  list(): Promise<{ tools: object[] }>
  call(request: { params: { name: string; arguments?: Raw } }, context: ServerContext): Promise<object>
}

export interface ForwardingParts {
  gateway: Gateway
  held: HeldCalls
  /** The client, the same for all its requests. */
  client: object
  wantsLog(params: Raw): boolean
  govern: Govern
  /** The caller's id; throws unless it may call tools. */
  principal(): string
  /** The caller of a request, as rules and views mean it. */
  whoAsks(context: ServerContext): Caller
  listed?: TellListed
  /** The facts about the caller of a request, and where it speaks and works. */
  callerOf(called: { name: string; arguments: Raw }, context: ServerContext): Calling
  own: OwnTools
  ownResources: OwnResources
  /** Sees a call begin and end. */
  watched(tool: string, input: Raw, context: ServerContext, work: () => Promise<Raw>): Promise<Raw>
}

/** A request that is governed, of what is at a server. */
interface Governed {
  tool: ToolItem
  params: Raw
  /** The part that is decided about, as arguments of a tool are. */
  input: Raw
  context: ServerContext
  /** No call of a tool: its answer has no room for anything else. */
  isRequest?: boolean
  /** The tool is not there now, so that it is only looked up what became of the call. */
  isGone?: boolean
}

type Handler = (params: Raw, context: ServerContext) => Promise<object>

/** Requests of clients that are forwarded to mounts. */
export const FORWARDED = [
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'resources/list',
  'resources/templates/list',
  'resources/read',
] as const
type Forwarded = (typeof FORWARDED)[number]

/** Serves the mounts to one client. Requests and results pass without a schema that would drop anything. */
export function serveForwarding(server: Server, parts: ForwardingParts) {
  const { gateway, principal, own, watched, callerOf, whoAsks } = parts
  const { catalog, reachOf } = gateway
  const { call, heldFor } = createCaller({ server, ...parts })
  const resources = createForwardedResources({ gateway, own: parts.ownResources, whoAsks, reachIn, request })
  const handlers: Record<Forwarded, Handler> = {
    'tools/list': listTools,
    'tools/call': callTool,
    'prompts/list': listPrompts,
    'prompts/get': getPrompt,
    'completion/complete': complete,
    'resources/list': resources.list,
    'resources/templates/list': resources.templates,
    'resources/read': resources.read,
  }
  server.fallbackRequestHandler = async ({ method, params }, context) => {
    const handler = Object.hasOwn(handlers, method) ? handlers[method as Forwarded] : undefined
    if (!handler) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
    const answered = handler(isRecord(params) ? params : {}, context as ServerContext)
    return (await answered.catch(ifRefused(refuse))) as Raw
  }

  function reachIn(context: ServerContext, list: List) {
    const caller = whoAsks(context)
    parts.listed?.(caller, list)
    return reachOf(caller)
  }

  async function listTools(_: Raw, context: ServerContext) {
    const [{ tools }] = await Promise.all([own.list(), gateway.tried()])
    return { tools: [...tools, ...catalog.tools(reachIn(context, 'tools').lists)] }
  }

  async function callTool(params: Raw, context: ServerContext): Promise<object> {
    const { name, arguments: input = {} } = params
    if (typeof name !== 'string') throw invalid('A tool is called by its name')
    if (!isRecord(input)) throw invalid('The arguments of a tool are an object')
    // What became of an earlier try is looked up before its server is waited for.
    const before = await whatBecameOf(name, params, input, context)
    if (before) return before
    const tool = await toolNamed(name, context)
    const shut = tool || own.has(name) ? undefined : gateway.shutFor(name, whoAsks(context))
    if (shut) return refused(shut.down())
    if (!tool) return own.call({ params: { ...params, name, arguments: input } }, context)
    return watched(name, input, context, () => governed({ tool, params, input, context })).catch(ifRefused(toldOf))
  }

  /** Undefined where it has not run. */
  async function whatBecameOf(name: string, params: Raw, input: Raw, context: ServerContext) {
    try {
      const tool = goneNamed(name, input, context)
      return tool && (await governed({ tool, params, input, context, isGone: true }))
    } catch (error) {
      return isRefusal(error, 'unknown_tool') ? undefined : ifRefused(toldOf)(error)
    }
  }

  /** One that its caller does not see is none. */
  async function toolNamed(name: string, context: ServerContext): Promise<ToolItem | undefined> {
    if (own.has(name)) return undefined
    if (!catalog.tool(name)) await gateway.tried(name)
    return seenBy(whoAsks(context), catalog.tool(name), gateway)
  }

  /** A call that is made again may have run before, also where its server is not there now, or not yet. */
  function goneNamed(name: string, input: Raw, context: ServerContext): ToolItem | undefined {
    if (own.has(name) || catalog.tool(name)) return undefined
    const mount = gateway.all().find((mount) => name.startsWith(`${mount.name}_`))
    if (!mount || !callerOf({ name, arguments: input }, context).isRepeated) return undefined
    const tool = { mount, own: name.slice(mount.name.length + 1), shown: { name }, fingerprint: '' }
    return seenBy(whoAsks(context), tool, gateway)
  }

  /** A request that is no call of a tool, decided about and recorded as one. */
  async function request({ tool, input, ...more }: Governed): Promise<Raw> {
    const work = () => governed({ tool, input, ...more, isRequest: true })
    return watched(tool.shown.name, input, more.context, work)
  }

  async function governed({ tool, params, input, context, isRequest, isGone }: Governed): Promise<Raw> {
    const { mount, own, shown } = tool
    const who = principal()
    const whose = [who, mount.name, own].join('\n')
    const shownOf = (result: Raw) => withShownUris(mount.name, result)
    const goOn = heldFor(context, whose)
    if (goOn) return shownOf(await goOn())
    const calling = callerOf({ name: shown.name, arguments: input }, context)
    return parts.govern({
      ...mountedCall({ gateway, tool, input, principal: who, calling }),
      isRequest,
      isGone,
      signal: context.mcpReq.signal,
      run: async (input, over, expiry) => {
        const { method, params: wanted } = requestOf(own, input)
        const ended = (ending: Ending) =>
          over('result' in ending ? { result: mount.hidden(shownOf(ending.result)) } : ending)
        const forwarded = { mount, method, params: { ...params, ...wanted }, context, whose, over: ended, expiry }
        return shownOf(await call(forwarded))
      },
    })
  }

  async function listPrompts(_: Raw, context: ServerContext) {
    await gateway.tried()
    return { prompts: catalog.prompts(reachIn(context, 'prompts').lists) }
  }

  async function getPrompt(params: Raw, context: ServerContext) {
    const { arguments: input = {} } = params
    if (!isRecord(input)) throw invalid('The arguments of a prompt are an object')
    if (!catalog.prompt(String(params.name))) await gateway.tried()
    return request({ tool: promptNamed(params.name, context), params, input, context })
  }

  function promptNamed(name: unknown, context: ServerContext): ToolItem {
    const prompt = seenBy(whoAsks(context), catalog.prompt(String(name)), gateway)
    if (!prompt) throw invalid(`Unknown prompt "${name}"`)
    return prompt
  }

  /** Completes for a prompt or a template that its caller could use, each named by what clients see. */
  async function complete(params: Raw, context: ServerContext) {
    const ref = isRecord(params.ref) ? params.ref : {}
    const whose = principal()
    const isPrompt = ref.type === 'ref/prompt'
    const { tool, uri } = isPrompt
      ? { tool: promptNamed(ref.name, context), uri: '' }
      : resources.ownOf(String(ref.uri), context)
    const { mount, own, annotations } = tool
    const offered = { server: mount.name, tool: own, annotations, bases: mount.bases() }
    const { lists } = reachOf(whoAsks(context))
    if (!lists(offered) || (!isPrompt && !lists({ ...offered, arguments: { uri } })))
      throw new ParleyError('call_denied', { reason: 'the policy forbids whatever it would complete' })
    const named = isPrompt ? { ...ref, name: promptIn(own) } : { ...ref, uri }
    return call({ mount, method: 'completion/complete', params: { ...params, ref: named }, context, whose })
  }
}

/** Documents give these codes of their own. */
const DENIALS: string[] = ['call_denied', 'call_aborted']

function refuse({ code, message }: ParleyError): never {
  throw new ProtocolError(ERRORS[code].rpc, message)
}

/** The answer to a call that was refused; throws where that is an error of the protocol. */
function toldOf(refusal: ParleyError) {
  return DENIALS.includes(refusal.code) ? refuse(refusal) : refused(refusal)
}

/** Refuses as every other tool does: some clients show their model nothing else. */
function refused({ message }: ParleyError) {
  return { content: [{ type: 'text', text: message }], isError: true }
}

function invalid(problem: string) {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, problem)
}
