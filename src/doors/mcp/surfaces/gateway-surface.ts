import { Server, type ServerContext } from '@modelcontextprotocol/server'
import { openGateway } from '../../../governance/gateway/gateway.ts'
import type { GatewayParts } from '../../../governance/gateway/gateway-parts.ts'
import { inReachOf } from '../../../governance/gateway/in-reach.ts'
import { NO_BOUNDS } from '../../../governance/gateway/reach.ts'
import { CAPABILITIES, createGatewayDoor, MOUNTS } from '../../../governance/gateway/serve-gateway.ts'
import { orUndo } from '../../../io/or-undo.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { callbackAt } from '../../../protocol/frames/sign-in-callback.ts'
import { can, mustBeAble, type Principal } from '../../../protocol/principal.ts'
import { isRefusal } from '../../../protocol/refusal.ts'
import { messageOf } from '../../../protocol/text/message-of.ts'
import { percentDecoded } from '../../../protocol/text/percent-decoded.ts'
import type { Caller, Govern, MountState, OutOfReach } from '../../../protocol/tools/gateway.ts'
import type { PolicyManaging, PolicySeen } from '../../../protocol/tools/policy.ts'
import type { ReadViews } from '../../../protocol/tools/views.ts'
import { VERSION } from '../../../protocol/version.ts'
import type { Called } from '../call-key.ts'
import { clientIn, type Feed } from '../http/endpoint.ts'
import type { Page } from '../page.ts'
import { JSON_MIME } from '../resources/resources.ts'
import { type AdmitCall, clientName, createToolHandlers, type Surface, toolNamed, toolsOf } from '../surface.ts'
import { assistantEvent, assistantPost, type ChatParts, yieldTurn } from '../tools/chat-tools.ts'
import { mountTools } from '../tools/gateway-tools.ts'
import { withHeartbeat } from '../tools/heartbeat.ts'
import { patienceMs } from '../tools/patience.ts'
import { policyTools } from '../tools/policy-tools.ts'
import { placeOverHttp, type Visit } from '../visit.ts'
import { createVisiting } from '../visiting.ts'
import { AGENT_TOOLS } from './agent-surface.ts'
import { legacyTools } from './ui-surface.ts'

/** The source of mounts, and who decides what they may be used for. */
export interface GatewayWanted extends Pick<GatewayParts, 'data' | 'env' | 'patience'> {
  govern: Govern
  /**
   * The rules that people are shown and change, and what they keep from agents. Without them every agent has everything
   * in reach.
   */
  policy?: PolicyManaging & Pick<PolicySeen, 'follow'> & { outOfReach: OutOfReach }
  readViews?: ReadViews
}

interface GatewaySurfaceParts extends ChatParts {
  wanted: GatewayWanted
  page?(): Page
  maxWaitSeconds?: number
  /** Whether the deprecated tools of the server `ui` are there. */
  legacyUi?: boolean
  admit?: AdmitCall
  /** Hears the names of agents that look at their tools. */
  met?(client: string): void
  report(error: unknown): void
}

/** Every mounted tool, resource and prompt at one server, beside what an agent needs to talk. */
export function openGatewaySurface({ wanted, admit = () => () => {}, report, ...parts }: GatewaySurfaceParts) {
  const { govern, policy, readViews, ...more } = wanted
  const taken = (name: string) => toolNamed(toolsOf(surface), name) !== undefined || AGENT_TOOLS.includes(name)
  const rules = policy && { outOfReach: policy.outOfReach, onChange: policy.follow }
  const reaching = { ...NO_BOUNDS, ...rules, ...(readViews && { readViews }) }
  const callback = () => parts.page && callbackAt(parts.page().url)
  const gateway = openGateway({ ...more, taken, reaching, callback, report })
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
      ...(policy ? policyTools(policy) : []),
    ],
    unlisted: parts.legacyUi === false ? [] : legacyTools(parts, 'ui_'),
    byRole: true,
  }
  const feed: Feed = {
    follow: (_, publish) => door.follow(publish),
    listening: (principal, place) => door.listening((message) => followerOf(message, principal, place)),
  }
  return { gateway, surface, build, feed, close }

  function build(visit: Visit): Server {
    const { principal, tells, calls, driven, maxWaitSeconds = parts.maxWaitSeconds } = visit
    const served = driven ?? surface
    const { name } = served
    const placeOf = visit.placeOf ?? placeOverHttp(visit, { own: true })
    const { folder } = placeOf({ client: '' })
    const instructions = gateway.instructions(served.instructions, { principal: principal.id, folder })
    const server = new Server({ name, title: 'Parley', version: VERSION }, { capabilities: CAPABILITIES, instructions })
    const own = createToolHandlers(server, served, principal, { admit, placeOf, ...calls })
    // Nobody knows when the client of single requests goes.
    const visiting = visit.visiting ?? (visit.session && createVisiting(parts.viewOf))
    if (!visit.visiting) server.onclose = visiting?.leave
    door.serve(server, {
      tells,
      govern,
      principal: () => idOf(principal),
      whoAsks,
      callerOf,
      own: { ...own, has: (tool) => toolNamed(toolsOf(served), tool) !== undefined },
      ownResources: {
        list: [MOUNTS_RESOURCE],
        templates: [MOUNT_TEMPLATE],
        read: (uri, caller) => read(uri, can(principal, 'administer') ? undefined : caller),
      },
      watched,
    })
    return server

    function whoAsks(context: ServerContext): Caller {
      const client = clientName(server, context)
      if (!driven) parts.met?.(client)
      const { folder, home } = placeOf({ client })
      return { principal: principal.id, agent: client, folder, cwd: home?.folder }
    }

    function callerOf(called: Called, context: ServerContext) {
      const caller = own.callerOf(called, context)
      const { client: by, folder, visit, callKey: key, isRepeated, carry } = caller
      const { home } = caller.principal
      const conversation = parts.viewOf(caller.principal).placeOf()
      visiting?.isHere(caller, conversation)
      return {
        by,
        folder,
        visit,
        conversation,
        title: home?.title,
        cwd: home?.folder,
        key,
        isRepeated,
        // A model waits as long as its driver does, which is told that it still waits.
        waitMs: patienceMs(caller, driven?.tools.length === 0 && caller.tellProgress ? 0 : maxWaitSeconds),
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
      const answer = await orUndo(work, (error) => {
        // A server's error is no fault of Parley's.
        const failed = () => new ParleyError('mcp_server_failed', { server: tool, reason: messageOf(error) })
        tellEnd({ error: isRefusal(error) ? error : failed() })
      })
      tellEnd({ answer: answer as Record<string, unknown> })
      return answer
    }
  }

  async function close() {
    door.close()
    await gateway.close()
  }

  /** A request of the 2026 era that listens has no server of its own yet, and nobody waits for it. */
  function followerOf(message: unknown, principal: Principal, place = placeOverHttp({ principal }, { own: true })) {
    const by = clientIn(message)
    const { home, folder, visit } = place({ client: by })
    const at = principal.home ?? home
    return {
      govern,
      principal: () => idOf(principal),
      signal: new AbortController().signal,
      calling: () => ({
        by,
        folder,
        visit,
        conversation: parts.viewOf({ ...principal, home: at }).placeOf(),
        title: at?.title,
        cwd: at?.folder,
        waitMs: 0,
        keepWaiting: <Result>(work: () => Promise<Result>) => work(),
        carry() {},
      }),
    }
  }

  /** `caller`: an agent, which is shown what it has in reach. */
  function read(uri: string, caller: Caller | undefined) {
    const shown = shownAt(uri, caller ? inReachOf(caller, gateway) : gateway.states())
    return shown && { uri, mimeType: JSON_MIME, text: JSON.stringify(shown) }
  }

  function shownAt(uri: string, mounts: MountState[]): object | undefined {
    if (uri === MOUNTS) return { mounts, problem: gateway.problem() }
    const name = uri.startsWith(`${MOUNTS}/`) ? percentDecoded(uri.slice(MOUNTS.length + 1)) : undefined
    return mounts.find((state) => state.name === name)
  }
}

function idOf(principal: Principal): string {
  mustBeAble(principal, 'ask')
  return principal.id
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
