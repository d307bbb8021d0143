import { createChat } from '../chat/chat.ts'
import { collectFiles } from '../chat/conversation/collecting.ts'
import { explainingTrouble, probe } from '../chat/conversation/disk-trouble.ts'
import { logFile, openLog } from '../chat/conversation/open-log.ts'
import { findConversation } from '../chat/reading/find-conversation.ts'
import { searchText } from '../chat/reading/search-place.ts'
import { createAccess } from '../doors/http/access/access.ts'
import { mustHaveTokens } from '../doors/http/access/open-tokens.ts'
import { isLoopback } from '../doors/http/guard.ts'
import { bindListener } from '../doors/http/listener.ts'
import { pageFolder, servePage } from '../doors/http/page.ts'
import { serveHttp } from '../doors/http/server.ts'
import { createArrivals } from '../doors/mcp/arrivals.ts'
import { openMcpEndpoints } from '../doors/mcp/mcp-endpoints.ts'
import { openWsDoor } from '../doors/ws/door.ts'
import { createExports } from '../export/exports.ts'
import { openClearTexts } from '../files/clear-texts.ts'
import { openFiles } from '../files/file-store.ts'
import { openAudit } from '../governance/audit/audit.ts'
import { createGovernor } from '../governance/calls/governor.ts'
import { createKeeping } from '../governance/calls/keeping.ts'
import { createManaging } from '../governance/calls/managing.ts'
import { openToolPins } from '../governance/calls/tool-pins.ts'
import { createLoneCalls } from '../governance/gateway/calls/lone-calls.ts'
import { carryOut } from '../governance/gateway/mounts/mount-orders.ts'
import { createForgottenRules } from '../governance/policy/file/forgotten-rules.ts'
import { openPolicy } from '../governance/policy/file/open-policy.ts'
import { remembering } from '../governance/policy/learning/remember.ts'
import { readViews } from '../governance/policy/views.ts'
import { type Disk, watchDisk } from '../ops/disk.ts'
import { once, within } from '../ops/endings.ts'
import { countHub } from '../ops/hub-gauges.ts'
import { createLimiter } from '../ops/limiter.ts'
import { createLogbook } from '../ops/logbook.ts'
import { createMetrics } from '../ops/metrics.ts'
import { watchBuild } from '../ops/own-build.ts'
import { createReadiness } from '../ops/readiness.ts'
import type { AdmittedCall } from '../ops/telemetry.ts'
import { createTelemetry } from '../ops/telemetry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Hello, MountOrder } from '../protocol/frames/link.ts'
import type { SurfaceName } from '../protocol/frames/surface-name.ts'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import { localPrincipal, type Principal, type Role } from '../protocol/principal.ts'
import type { HubConfig, HubParts } from './hub-config.ts'
import { openLaunching } from './launching.ts'

export type { HubConfig }
export type Hub = Awaited<ReturnType<typeof openHub>>

// A text may take several times its size as JSON, and what carries none must fit too.
const WIRE_BYTES_PER_TEXT_BYTE = 8
const LEAST_WIRE_BYTES = 64 * 1024

// How long those who are there have, when the hub closes: calls to be answered, clients to be told.
const ANSWER_MS = 2000
const GOODBYE_MS = 1500
/** What lines are where there are no tokens, if not agents. */
const LINE_ROLES: { [Name in SurfaceName]?: Role } = { human: 'human', chat: 'admin', orchestrator: 'orchestrator' }
const QUIET = { level: 'error', content: false } as const

/** Puts the parts together. What is open is on one stack, which unwinds when a later step fails. */
export async function openHub(config: HubConfig, parts: HubParts = {}) {
  await using opening = new AsyncDisposableStack()
  const { host, port, data, maxWaitSeconds, limits = DEFAULT_LIMITS, legacyUi = true, composer = 'always' } = config
  const tokens = mustHaveTokens(config)
  const loopback = isLoopback(host)
  const wireLimitBytes = Math.max(LEAST_WIRE_BYTES, limits.messageBytes * WIRE_BYTES_PER_TEXT_BYTE)
  const logbook = createLogbook(config.log ?? QUIET)
  opening.defer(logbook.close)
  const metrics = createMetrics()
  const telemetry = createTelemetry({ logbook, metrics })
  const { report, refused } = telemetry
  const limiter = createLimiter(limits)
  const opened = keep(await (parts.openLog ?? openLog)(data, searchText(), parts.startupLock?.thread))
  const log = explainingTrouble(opened, (trouble) => disk?.troubled(trouble))
  const watched = { data, file: logFile(data), probe: () => probe(log) }
  const disk: Disk | undefined = data === 'memory' ? undefined : keep(await watchDisk(watched))
  const policy = keep(openPolicy(data, telemetry.policy))
  const policing = remembering(policy, report)
  const files = keep(openFiles(data))
  // Unfinished uploads are harmless; they are only swept.
  files.sweep().catch(report)
  const audit = data === 'memory' ? undefined : await openAudit({ data, log, report })
  const failure = Promise.withResolvers<unknown>()
  disk?.gone.then(failure.resolve)
  const chat = keep(
    createChat({
      journal: log,
      views: log,
      notes: log.notes,
      files,
      clear: openClearTexts(data),
      textLimitBytes: limits.messageBytes,
      policy: { ...policing, mounted: (server, tool) => mcp.gateway.toolKnown(server, tool) },
      mounted: (name, caller) => mcp.gateway.toolCalled(name, caller),
      forgetting: audit?.forgetting,
      forgotten: createForgottenRules({ policy, record: audit?.record }),
      report,
      failed: failure.resolve,
    }),
  )
  keep(chat.withdrawAbandoned())
  // The audit closes before the chat, which closes the log.
  if (audit) keep(audit)
  const { as: viewOf } = chat
  const everything = viewOf(localPrincipal('admin'))
  const rules = keep(createManaging({ policy, ...policing, chat, notes: everything.notes, record: audit?.record }))
  const access = createAccess({ tokens, loopback })
  const readiness = createReadiness({ recovered: chat.ready, failed: failure.promise, disk })
  const listener = parts.startupLock?.listener ?? keep(await bindListener(host, [port]))
  const { url } = listener
  const arrivals = createArrivals()
  const mcp = openMcpEndpoints({
    met: arrivals.met,
    page: () => ({ url, open: door.count() > 0 }),
    viewOf,
    files: { store: files, sameMachine: loopback },
    subscribers: { anyone: () => !tokens.exist(), named: subscriberNamed },
    readiness,
    drivers: chat.drivers,
    requestLimitBytes: wireLimitBytes,
    maxWaitSeconds,
    legacyUi,
    admit: admitCall,
    gateway: {
      data,
      env: process.env,
      govern: (call) => governor.govern(call),
      policy: { ...rules, follow: policy.follow, outOfReach: policy.outOfReach },
      readViews,
      ...parts.gateway,
    },
    report,
  })
  const governor = keep(
    createGovernor({
      calls: chat.mountedCalls,
      ...policing,
      toolPins: openToolPins({ notes: everything.notes, report }),
      ...createKeeping(files),
      alone: createLoneCalls(mcp.gateway),
      report,
    }),
  )
  const launching = { config, chat, everything, arrivals, report }
  const launcher = parts.startupLock && data !== 'memory' ? keep(await openLaunching(launching)) : undefined
  const door = openWsDoor({
    frameLimitBytes: wireLimitBytes,
    highWaterBytes: limits.unreadBytes,
    heartbeatMs: limits.heartbeatSeconds * 1000,
    composer,
    policy,
    readiness,
    launcher,
    admit,
    telemetry: telemetry.connection,
    report,
  })
  const sayGoodbye = once(() => Promise.all([mcp.close(), door.close(), parts.goodbye?.()]))
  keep({ close: () => within(GOODBYE_MS, sayGoodbye()) })
  const http = keep(
    serveHttp({
      listener,
      page: parts.page ?? servePage(pageFolder()),
      access,
      origins: config.origins,
      viewOf,
      endpoints: mcp.paths,
      tools: mcp.tools,
      finishSignIn: mcp.gateway.signIns.finish,
      files,
      exports: createExports({ files }),
      audit,
      status: { refusal: readiness.refusal, metrics: metrics.text },
      requestLimitBytes: wireLimitBytes,
      mostConnections: limits.connections,
      admit,
      upgrade,
      refused,
      report,
    }),
  )
  const counted = countHub({
    metrics,
    limits,
    connections: http.connections,
    questions: chat.openQuestions,
    agents: () => chat.agents().length,
    ready: readiness.isReady,
  })
  const after = await everything.last()
  keep(everything.follow({ after }, { entries: counted.entries, driven: launcher?.look, failed: report }))
  if (launcher) void chat.ready.then(launcher.beginAll, report)
  const build = keep(watchBuild(import.meta.dirname))
  const all = opening.move()
  const close = once(closeInOrder)
  /** Resolves once the log can no longer be used, and this hub has ended itself because of it. */
  const failed = failure.promise.then(async (error) => {
    report(error)
    await close()
    return error
  })
  return {
    chat,
    files,
    policy,
    tokens,
    logbook,
    viewOf,
    principalOf,
    serve: mcp.serve,
    listening: mcp.listening,
    met: arrivals.met,
    gateway: mcp.gateway,
    mount: (order: MountOrder) => carryOut(mcp.gateway, order),
    admit: admitCall,
    /** The routes and servers that there are. */
    doors: { routes: http.routes, servers: mcp.servers },
    report,
    endRunners: async () => launcher?.endAll(),
    pages: door.count,
    connections: http.connections,
    agents: chat.withAgents,
    forget,
    collect: () => collectFiles({ views: log, files }),
    port: listener.port,
    url,
    failed,
    /** Another build is there, and this one is gone. */
    replaced: build.gone,
    close,
  }

  /**
   * The principal over the owner's socket: the token decides where one is shown, and people need one where there are
   * any.
   */
  function principalOf({ token, surface }: Pick<Hello, 'token' | 'surface'>): Principal {
    if (surface === 'ui' && !legacyUi) throw new ParleyError('no_legacy_ui')
    const role = LINE_ROLES[surface] ?? 'agent'
    const asAgent = role === 'agent' || (role === 'admin' && tokens.exist())
    if (token === undefined && asAgent) return localPrincipal('agent')
    // An orchestrator is as safe as an agent: neither speaks for a person.
    if (token === undefined && role === 'orchestrator') return localPrincipal(role)
    return access.principalOf({ authorization: token && `Bearer ${token}` }, role)
  }

  async function forget(name: string) {
    await everything.forget((await findConversation(everything, name)).id)
    return { erased: chat.erased() }
  }

  /** Parts that cannot be closed are reported, and keep nothing else open. */
  function keep<Open extends { close(): unknown }>(open: Open): Open {
    return opening.adopt(open, async () => void (await Promise.try(() => open.close()).catch(report)))
  }

  function admit(principal: Principal) {
    readiness.refuseWhenClosing()
    limiter.take(principal)
  }

  function admitCall(call: AdmittedCall) {
    readiness.refuseWhenClosing()
    return telemetry.call(call)
  }

  function upgrade(...request: Parameters<typeof door.upgrade>) {
    readiness.refuseWhenClosing()
    door.upgrade(...request)
  }

  function subscriberNamed(subscriber: string): Principal | undefined {
    const token = tokens.list().find(({ name }) => name === subscriber)
    return token && { id: token.name, name: token.name, role: token.role, conversation: token.conversation }
  }

  /** What waits is answered while its way back is open, and the log goes last, with everything that was accepted. */
  async function closeInOrder() {
    readiness.close()
    chat.stopWaiting(readiness.refusal())
    await within(ANSWER_MS, telemetry.callsEnded())
    await within(GOODBYE_MS, sayGoodbye())
    await all.disposeAsync()
  }
}
