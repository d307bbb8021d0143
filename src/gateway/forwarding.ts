import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { ERRORS, ParleyError } from '../protocol/errors.ts'
import type { Ending, Govern, MountedCall } from '../protocol/gateway.ts'
import { isRecord } from '../protocol/record.ts'
import { createCaller } from './caller.ts'
import type { ToolEntry } from './catalog.ts'
import type { Gateway } from './gateway.ts'
import type { HeldCalls } from './held-calls.ts'
import { createForwardedResources, type OwnResources } from './resources.ts'
import { withShownUris } from './shown.ts'
import type { Raw } from './upstream.ts'

/** The tools that are the gateway's own. */
export interface OwnTools {
  has(name: string): boolean
  list(): Promise<{ tools: object[] }>
  call(request: { params: { name: string; arguments?: Raw } }, context: ServerContext): Promise<object>
}

export interface ForwardingParts {
  gateway: Gateway
  held: HeldCalls
  /** Who it is, the same for all its requests. */
  client: object
  wantsLog(params: Raw): boolean
  govern: Govern
  /** Who calls, by its id, and throws unless it may call tools. */
  principal(): string
  /** What is known of the caller of a request, and where it speaks and works. */
  callerOf(called: { name: string; arguments: Raw }, context: ServerContext): Calling
  own: OwnTools
  ownResources: OwnResources
  /** Sees a call begin and end. */
  watched(tool: string, input: Raw, context: ServerContext, work: () => Promise<Raw>): Promise<Raw>
}

/** A call as far as its caller tells of it. */
export type Calling = Pick<
  MountedCall,
  'by' | 'folder' | 'visit' | 'title' | 'key' | 'isRepeated' | 'waitMs' | 'keepWaiting' | 'carry'
> & { conversation: string; cwd?: string }

type Handler = (params: Raw, context: ServerContext) => Promise<object>

/** What is mounted, on the server of one client. Requests and results pass without a schema that would drop anything. */
export function serveForwarding(server: Server, parts: ForwardingParts) {
  const { gateway, govern, principal, own, watched, callerOf } = parts
  const { catalog } = gateway
  const { call, heldFor, callOrGoOn } = createCaller({ server, ...parts })
  const resources = createForwardedResources({ gateway, own: parts.ownResources, call: callOrGoOn })
  const handlers: Record<string, Handler> = {
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
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
    if (!handler) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
    return (await handler(isRecord(params) ? params : {}, context as ServerContext)) as Raw
  }

  async function listTools() {
    const [{ tools }] = await Promise.all([own.list(), gateway.tried()])
    return { tools: [...tools, ...catalog.tools()] }
  }

  async function callTool(params: Raw, context: ServerContext): Promise<object> {
    const { name, arguments: input = {} } = params
    if (typeof name !== 'string') throw invalid('A tool is called by its name')
    if (!isRecord(input)) throw invalid('The arguments of a tool are an object')
    const tool = await toolNamed(name)
    const shut = tool || own.has(name) ? undefined : gateway.shutFor(name)
    if (shut) return refused(shut.down())
    if (!tool) return own.call({ params: { ...params, name, arguments: input } }, context)
    try {
      return await watched(name, input, context, () => callMounted(tool, { ...params, arguments: input }, context))
    } catch (error) {
      if (error instanceof ParleyError && DENIALS.includes(error.code))
        throw new ProtocolError(ERRORS[error.code].rpc, error.message)
      if (error instanceof ParleyError) return refused(error)
      throw error
    }
  }

  async function toolNamed(name: string): Promise<ToolEntry | undefined> {
    const known = catalog.tool(name)
    if (known || own.has(name)) return known
    await gateway.tried()
    return catalog.tool(name)
  }

  async function callMounted(tool: ToolEntry, params: Raw & { arguments: Raw }, context: ServerContext): Promise<Raw> {
    const { mount, own, annotations, fingerprint, shown } = tool
    const who = principal()
    const whose = [who, mount.name, own].join('\n')
    const shownOf = (result: Raw) => withShownUris(mount.name, result)
    const goOn = heldFor(context, whose)
    if (goOn) return shownOf(await goOn())
    const called = { server: mount.name, tool: own, arguments: params.arguments, annotations }
    const { conversation, cwd, ...caller } = callerOf({ name: shown.name, arguments: params.arguments }, context)
    return govern({
      subject: {
        ...called,
        principal: who,
        agent: caller.by,
        folder: caller.folder,
        conversation,
        cwd,
        at: Date.now(),
        // Only rules about paths want to know.
        get bases() {
          return mount.bases()
        },
      },
      shown: shown.name,
      fingerprint,
      ...caller,
      signal: context.mcpReq.signal,
      now: () => catalog.toolNow(mount.name, own),
      run: async (input, over) => {
        const forwarded = { mount, method: 'tools/call', params: { ...params, name: own, arguments: input } }
        const ended = (ending: Ending) => over('result' in ending ? { result: shownOf(ending.result) } : ending)
        return shownOf(await call({ ...forwarded, context, whose, over: ended }))
      },
    })
  }

  async function listPrompts() {
    await gateway.tried()
    return { prompts: catalog.prompts() }
  }

  async function getPrompt(params: Raw, context: ServerContext) {
    const { mount, own } = promptNamed(params.name)
    const whose = [principal(), mount.name, 'prompt', own].join('\n')
    const forwarded = { mount, method: 'prompts/get', params: { ...params, name: own }, context, whose }
    return withShownUris(mount.name, await callOrGoOn(forwarded))
  }

  function promptNamed(name: unknown) {
    const prompt = catalog.prompt(String(name))
    if (!prompt) throw invalid(`There is no prompt "${name}"`)
    return prompt
  }

  /** Of a prompt or a template, each named by what clients see. */
  async function complete(params: Raw, context: ServerContext) {
    const ref = isRecord(params.ref) ? params.ref : {}
    const { mount, own } = ref.type === 'ref/prompt' ? promptNamed(ref.name) : resources.ownOf(ref.uri)
    const named = ref.type === 'ref/prompt' ? { ...ref, name: own } : { ...ref, uri: own }
    const whose = principal()
    return call({ mount, method: 'completion/complete', params: { ...params, ref: named }, context, whose })
  }
}

/** Documents give these codes of their own. */
const DENIALS: string[] = ['call_denied', 'call_aborted']

/** As every other tool says no: some clients show their model nothing else. */
function refused({ message }: ParleyError) {
  return { content: [{ type: 'text', text: message }], isError: true }
}

function invalid(problem: string) {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, problem)
}
