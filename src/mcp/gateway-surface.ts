import { Server, type ServerContext } from '@modelcontextprotocol/server'
import { type GatewayParts, openGateway } from '../gateway/gateway.ts'
import { CAPABILITIES, createGatewayDoor, MOUNTS } from '../gateway/serve-gateway.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Govern } from '../protocol/gateway.ts'
import { percentDecoded } from '../protocol/percent-decoded.ts'
import type { PolicySeen } from '../protocol/policy.ts'
import { mustBeAble } from '../protocol/principal.ts'
import { Name } from '../protocol/text.ts'
import { VERSION } from '../protocol/version.ts'
import { assistantEvent, assistantPost, type ChatParts, DEFAULT_CONVERSATION, yieldTurn } from './chat-tools.ts'
import type { Feed } from './endpoint.ts'
import { mountTools } from './gateway-tools.ts'
import { withHeartbeat } from './heartbeat.ts'
import type { Page } from './page.ts'
import { patienceMs } from './patience.ts'
import { policyTools } from './policy-tools.ts'
import { JSON_MIME } from './resources.ts'
import { type AdmitCall, clientName, createToolHandlers, type Surface, toolNamed } from './surface.ts'
import type { Visit } from './visit.ts'

/** Where mounts come from, and who says what they may be used for. */
export interface GatewayWanted extends Pick<GatewayParts, 'data' | 'env' | 'patience'> {
  govern: Govern
  /** The rules that are shown to people. */
  policy?: Pick<PolicySeen, 'show'>
}

export interface GatewaySurfaceParts extends ChatParts {
  wanted: GatewayWanted
  page?(): Page
  maxWaitSeconds?: number
  admit?: AdmitCall
  report(error: unknown): void
}

/** Every mounted tool, resource and prompt at one server, beside what an agent needs to talk. */
export function openGatewaySurface({ wanted, admit = () => () => {}, report, ...parts }: GatewaySurfaceParts) {
  const { govern, policy, ...more } = wanted
  const taken = (name: string) => toolNamed(surface.tools, name) !== undefined
  const gateway = openGateway({ ...more, taken, report })
  const door = createGatewayDoor(gateway)
  const surface: Surface = {
    name: 'parley-gateway',
    instructions:
      'Tools of mounted servers are named SERVER_TOOL; a person may have to allow a call. Speak with chat_assistant_post, and call yield_turn when you have nothing more to do until the person speaks.',
    tools: [
      assistantPost(parts),
      assistantEvent(parts),
      yieldTurn(parts),
      ...mountTools(gateway),
      ...policyTools(policy),
    ],
    byRole: true,
  }
  const feed: Feed = { follow: (_, publish) => door.follow(publish), listening: door.listening }
  return { gateway, surface, build, feed, close }

  function build({ principal, request, conversation, folder, tells, calls }: Visit): Server {
    const { name } = surface
    const instructions = gateway.instructions(surface.instructions)
    const server = new Server({ name, title: 'Parley', version: VERSION }, { capabilities: CAPABILITIES, instructions })
    const own = createToolHandlers(server, surface, principal, { admit, ...calls })
    const session = request && new URL(request.url).searchParams.get('session')
    door.serve(server, {
      tells,
      govern,
      principal() {
        mustBeAble(principal, 'ask')
        return principal.id
      },
      conversation: principal.conversation ?? conversation ?? Name.safeParse(session).data ?? DEFAULT_CONVERSATION,
      cwd: folder,
      callerOf,
      own: { ...own, has: taken },
      ownResources: { list: [MOUNTS_RESOURCE], templates: [MOUNT_TEMPLATE], read },
      watched,
    })
    return server

    function callerOf(context: ServerContext) {
      const caller = own.callerOf(context)
      const { client: by, callKey: key, isRepeated, carry } = caller
      return {
        by,
        key,
        isRepeated,
        waitMs: patienceMs(caller, parts.maxWaitSeconds),
        keepWaiting: <Result>(work: () => Promise<Result>) => withHeartbeat(caller, parts, work),
        carry,
      }
    }

    async function watched<Result>(
      tool: string,
      input: object,
      context: ServerContext,
      work: () => Promise<Result>,
    ): Promise<Result> {
      const caller = { client: clientName(server, context), principal, signal: context.mcpReq.signal }
      const tellEnd = await admit({ tool, caller, input, started: performance.now() })
      try {
        const answer = await work()
        tellEnd({ answer: answer as Record<string, unknown> })
        return answer
      } catch (error) {
        // What a server says is no fault of Parley's.
        const reason = error instanceof Error ? error.message : String(error)
        tellEnd({
          error: error instanceof ParleyError ? error : new ParleyError('mcp_server_failed', { server: tool, reason }),
        })
        throw error
      }
    }
  }

  async function close() {
    door.close()
    await gateway.close()
  }

  function read(uri: string) {
    const shown = shownAt(uri)
    return shown && { uri, mimeType: JSON_MIME, text: JSON.stringify(shown) }
  }

  function shownAt(uri: string): object | undefined {
    if (uri === MOUNTS) return { mounts: gateway.states(), problem: gateway.problem() }
    const name = uri.startsWith(`${MOUNTS}/`) ? percentDecoded(uri.slice(MOUNTS.length + 1)) : undefined
    return gateway.states().find((state) => state.name === name)
  }
}

const MOUNTS_RESOURCE = {
  uri: MOUNTS,
  name: 'mounts',
  title: 'Mounts',
  description: 'Every mounted MCP server: its state, what is wrong, and its tools with their fingerprints.',
  mimeType: JSON_MIME,
}

const MOUNT_TEMPLATE = {
  uriTemplate: `${MOUNTS}/{name}`,
  name: 'mount',
  title: 'Mount',
  description: 'One mounted MCP server.',
  mimeType: JSON_MIME,
}
