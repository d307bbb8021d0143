import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createChat } from './chat/chat.ts'
import { openLog } from './chat/open-log.ts'
import { createExports } from './export/exports.ts'
import { openFiles } from './files/file-store.ts'
import { createAccess } from './http/access.ts'
import { fileShelf } from './http/file-shelf.ts'
import { givenTokens } from './http/given-tokens.ts'
import { isLoopback } from './http/guard.ts'
import { memoryShelf } from './http/memory-shelf.ts'
import { listen } from './http/server.ts'
import { createTokens } from './http/tokens.ts'
import { writeCard } from './join/hub-card.ts'
import { openJoinDoor } from './join/join-door.ts'
import { showsSecret } from './join/secret.ts'
import type { Log } from './log/views.ts'
import { openMounts } from './mcp/mounts.ts'
import type { WatchedCall } from './mcp/surface.ts'
import { countHub } from './ops/hub-gauges.ts'
import { createLimiter } from './ops/limiter.ts'
import { createLogbook } from './ops/logbook.ts'
import { createMetrics } from './ops/metrics.ts'
import { createReadiness } from './ops/readiness.ts'
import { createWatch } from './ops/watch.ts'
import { ParleyError } from './protocol/errors.ts'
import { DEFAULT_LIMITS, type Limits } from './protocol/limits.ts'
import type { LogLevel } from './protocol/log-level.ts'
import { localPrincipal, type Principal } from './protocol/principal.ts'
import { openWsDoor } from './ws/door.ts'

export interface HubConfig {
  host: string
  /** 0 for any free one. */
  port: number
  /** The folder of the log, or `memory` for a hub that forgets. */
  data: string
  /** Tokens from the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
  /** After this long a call that waits comes back; otherwise what is known of its client decides. 0 is forever. */
  maxWaitSeconds?: number
  limits?: Readonly<Limits>
  /** Without it, only what should not happen is told. */
  log?: Readonly<{ level: LogLevel; content: boolean }>
}

export type Hub = Awaited<ReturnType<typeof openHub>>

// A text may take several times its size as JSON, and what carries none must fit too.
const WIRE_BYTES_PER_TEXT_BYTE = 8
const LEAST_WIRE_BYTES = 64 * 1024

// How long those who are there have, when the hub closes: calls to be answered, clients to be told.
const ANSWER_MS = 2000
const GOODBYE_MS = 1500
const QUIET = { level: 'error', content: false } as const

export interface HubParts {
  /** Opens the log of a data folder; with the address of what can be found in it, it can be searched. */
  openLog(data: string, text: URL): Promise<Log>
}

/** Puts the parts together. What is open is on one stack, which unwinds when a later step fails. */
export async function openHub(config: HubConfig, parts: HubParts = { openLog }) {
  await using opening = new AsyncDisposableStack()
  const { host, port, data, maxWaitSeconds, limits = DEFAULT_LIMITS } = config
  const tokens = openTokens(config)
  const loopback = isLoopback(host)
  if (!loopback && !tokens.exist()) throw new ParleyError('not_loopback', { host })
  const wireLimitBytes = Math.max(LEAST_WIRE_BYTES, limits.messageBytes * WIRE_BYTES_PER_TEXT_BYTE)
  const logbook = createLogbook(config.log ?? QUIET)
  opening.defer(logbook.close)
  const metrics = createMetrics()
  const watch = createWatch({ logbook, metrics })
  const { report, refused } = watch
  const limiter = createLimiter(limits)
  const log = keep(await parts.openLog(data, searchText()))
  const files = keep(openFiles(data))
  // What nobody finished is in nobody's way; it is only taken away.
  files.sweep().catch(report)
  const failure = Promise.withResolvers<unknown>()
  const chat = keep(
    createChat({
      journal: log,
      views: log,
      files,
      textLimitBytes: limits.messageBytes,
      report,
      failed: failure.resolve,
    }),
  )
  const { as: viewOf } = chat
  const readiness = createReadiness({ recovered: chat.ready, failed: failure.promise })
  const mcp = openMounts({
    viewOf,
    files: { store: files, sameMachine: loopback, takesPaths: false },
    bindingOf,
    requestLimitBytes: wireLimitBytes,
    maxWaitSeconds,
    admit: admitCall,
  })
  const door = openWsDoor({
    frameLimitBytes: wireLimitBytes,
    highWaterBytes: limits.unreadBytes,
    heartbeatMs: limits.heartbeatSeconds * 1000,
    admit,
    watch: watch.connection,
    report,
  })
  const secret = randomBytes(24).toString('base64url')
  const reception = viewOf(localPrincipal('agent')).reception()
  const joined = openJoinDoor({ reception, secret, report })
  const sayGoodbye = once(() => Promise.all([mcp.close(), door.close(), joined.close()]))
  keep({ close: () => within(GOODBYE_MS, sayGoodbye()) })
  const http = keep(
    await listen({
      host,
      port,
      pageFolder: pageFolder(),
      access: createAccess({ tokens, loopback }),
      viewOf,
      mounts: mcp.mounts,
      tools: mcp.tools,
      files,
      exports: createExports({ files }),
      isOwner: (authorization) => showsSecret(authorization, secret),
      status: { refusal: readiness.refusal, metrics: metrics.text },
      requestLimitBytes: wireLimitBytes,
      mostConnections: limits.connections,
      admit,
      upgrade,
      join: joinHere,
      refused,
      report,
    }),
  )
  const url = addressOf(host, http.port)
  if (data !== 'memory') writeCard(data, { pid: process.pid, host: reachableAt(host), port: http.port, url, secret })
  const counted = countHub({
    metrics,
    limits,
    connections: http.connections,
    questions: chat.openQuestions,
    agents: () => chat.agents().length,
    ready: () => readiness.refusal() === undefined,
  })
  const everything = viewOf(localPrincipal('admin'))
  const after = await everything.last()
  keep(everything.follow({ after }, { entries: counted.entries, failed: report }))
  const opened = opening.move()
  const close = once(closeInOrder)
  /** Once the log cannot be used any more, and this hub has ended itself because of it. */
  const failed = failure.promise.then(async (error) => {
    report(error)
    await close()
    return error
  })
  return {
    chat,
    reception,
    files,
    mcp,
    tokens,
    logbook,
    admitCall,
    port: http.port,
    url,
    failed,
    isClosing: readiness.isClosing,
    noAgentLeft,
    close,
  }

  /** What cannot be closed is reported, and keeps nothing else open. */
  function keep<Open extends { close(): unknown }>(open: Open): Open {
    return opening.adopt(open, async () => {
      try {
        await open.close()
      } catch (error) {
        report(error)
      }
    })
  }

  function admit(principal: Principal) {
    readiness.refuseWhenClosing()
    limiter.take(principal)
  }

  function admitCall(call: WatchedCall) {
    readiness.refuseWhenClosing()
    return watch.call(call)
  }

  function upgrade(...request: Parameters<typeof door.upgrade>) {
    readiness.refuseWhenClosing()
    door.upgrade(...request)
  }

  function joinHere(...request: Parameters<typeof joined.upgrade>) {
    readiness.refuseWhenClosing()
    joined.upgrade(...request)
  }

  function bindingOf(subscriber: string): string | undefined {
    const token = tokens.list().find(({ name }) => name === subscriber)
    if (!token) throw new ParleyError('unknown_subscriber', { subscriber })
    return token.conversation
  }

  async function noAgentLeft() {
    const left = Promise.withResolvers<void>()
    const check = () => {
      if (chat.agents().length === 0) left.resolve()
    }
    const following = everything.follow({ after }, { entries() {}, agent: check, failed: left.reject })
    check()
    await left.promise.finally(() => following.close())
  }

  /** What waits is answered while its way back is open, and the log goes last, with everything that was accepted. */
  async function closeInOrder() {
    readiness.close()
    chat.stopWaiting()
    await within(ANSWER_MS, watch.callsEnded())
    await within(GOODBYE_MS, sayGoodbye())
    await opened.disposeAsync()
  }
}

/** Where a browser on this machine finds the hub; one address, because a cookie is of one host name. */
export function addressOf(host: string, port: number): string {
  if (isLoopback(host) || host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Where a process of this machine connects to. */
function reachableAt(host: string): string {
  return host === '0.0.0.0' || host === '::' || host === 'localhost' ? '127.0.0.1' : host
}

/** Who may call a hub of this data; the command line uses it without a hub. */
export function openTokens({ data, tokens }: Pick<HubConfig, 'data' | 'tokens'>) {
  const shelf = data === 'memory' ? memoryShelf() : fileShelf(join(data, 'tokens.json'))
  return createTokens({ shelf, given: givenTokens(tokens) })
}

/** What can be found of an entry; the log's thread loads it by itself. */
function searchText(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './chat/search-text.ts' : './search-text.js', import.meta.url)
}

/** Beside the bundle; from the sources, where the build puts it. */
function pageFolder(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../dist/web' : './web', import.meta.url))
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined
  return () => (done ??= work())
}

/** Whoever does not end in time is left behind. */
async function within(ms: number, work: Promise<unknown>) {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
