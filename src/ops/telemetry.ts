import { type ErrorCode, ParleyError } from '../protocol/errors.ts'
import type { LogLevel } from '../protocol/log-level.ts'
import type { Principal } from '../protocol/principal.ts'
import type { PolicyNews } from '../protocol/tools/policy.ts'
import type { Logbook } from './logbook.ts'
import type { Metrics } from './metrics.ts'

interface TelemetryParts {
  logbook: Logbook
  metrics: Metrics
}

interface Connection {
  dialect: string
  principal: Principal
}

/** A call of a tool, as whoever watches the hub sees it. */
export interface AdmittedCall {
  tool: string
  /** Why the tool should not be used any more. */
  deprecated?: string
  /** Called all the time. */
  often?: true
  caller: { client: string; principal: Principal; signal: AbortSignal }
  input: unknown
  /** A time of `performance.now()`. */
  started: number
}

type Ended = { answer: unknown } | { error: unknown }

const MOST_WARNED = 1000
// A call may wait for a person: from a millisecond to an hour.
const DURATION_BOUNDS_S = [0.001, 0.01, 0.1, 1, 10, 60, 600, 3600]

/** Sees what comes through the doors: a line of the logbook and a few numbers for each connection and call. */
export function createTelemetry({ logbook, metrics }: TelemetryParts) {
  const connections = new Map<string, number>()
  const calls = new Map<string, number>()
  const warned = new Set<string>()
  let idle: (() => void)[] = []
  metrics.gauge('parley_websockets', 'Open WebSockets by dialect', () => connections, 'dialect')
  metrics.gauge('parley_calls_open', 'Calls that run or wait now', () => calls, 'tool')
  const frames = metrics.counter('parley_frames_received_total', 'Frames from WebSocket clients', ['dialect'])
  const refusals = metrics.counter('parley_refused_total', 'Refused frames and requests', ['code'], ['rate_limited'])
  const slow = metrics.counter('parley_slow_clients_total', 'WebSocket clients disconnected for not answering').of()
  const ended = metrics.counter('parley_calls_total', 'Calls that ended', ['tool', 'outcome'])
  const durations = metrics.histogram(
    'parley_call_duration_seconds',
    'How long calls took, waiting included',
    'tool',
    DURATION_BOUNDS_S,
  )
  let policyFailed = false
  return { connection, call, callsEnded, policy, refused, report }

  function connection({ dialect, principal: { name: principal, role } }: Connection) {
    const started = performance.now()
    change(connections, dialect, 1)
    const received = frames.of(dialect)
    return { received: receive, refused, slow: () => slow.count++, closed }

    function receive(text: string) {
      received.count++
      if (!logbook.wants('debug')) return
      logbook.tell('debug', 'frame', { dialect, principal, role, content: logbook.content ? text : undefined })
    }

    function closed(code: number) {
      change(connections, dialect, -1)
      logbook.tell('info', 'connection', { dialect, principal, role, code, ms: since(started) })
    }
  }

  function call({ tool, deprecated, often, caller, input, started }: AdmittedCall) {
    const { client, principal, signal } = caller
    if (deprecated) warn(client, tool, deprecated)
    change(calls, tool, 1)
    return (end: Ended) => {
      const outcome = 'error' in end ? outcomeOf(end.error, signal) : 'ok'
      change(calls, tool, -1)
      ended.of(tool, outcome).count++
      durations.observe(tool, (performance.now() - started) / 1000)
      const level: LogLevel = outcome === 'internal' ? 'error' : often && outcome === 'ok' ? 'debug' : 'info'
      if (logbook.wants(level))
        logbook.tell(level, 'call', {
          tool,
          principal: principal.name,
          role: principal.role,
          client,
          outcome,
          ms: since(started),
          ...(logbook.content && { input, answer: 'answer' in end ? end.answer : undefined }),
          ...('error' in end && outcome === 'internal' && described(end.error)),
        })
      if (idle.length > 0 && !isAnyOpen()) wake()
    }
  }

  /** Each client once, as long as there are not too many of them to remember. */
  function warn(client: string, tool: string, advice: string) {
    if (warned.has(client) || warned.size === MOST_WARNED) return
    warned.add(client)
    logbook.tell('warn', 'deprecated', { client, tool, advice })
  }

  /** Resolves once no call is open and the last answer is with its transport. */
  async function callsEnded(): Promise<void> {
    if (isAnyOpen()) await new Promise<void>((resolve) => idle.push(resolve))
    await new Promise(setImmediate)
  }

  function isAnyOpen(): boolean {
    return [...calls.values()].some((open) => open > 0)
  }

  function wake() {
    for (const resolve of idle) resolve()
    idle = []
  }

  /** Reports a problem with the rules that everything depends on, and its end. */
  function policy({ rules, problem }: PolicyNews) {
    if (problem !== undefined) logbook.tell('warn', 'policy', { rules, problem })
    else logbook.tell(policyFailed ? 'warn' : 'debug', 'policy', { rules, problem_over: policyFailed || undefined })
    policyFailed = problem !== undefined
  }

  function refused(code: ErrorCode) {
    refusals.of(code).count++
  }

  /** Reports errors that should not happen. */
  function report(error: unknown) {
    logbook.tell('error', 'error', described(error))
  }
}

function change(counts: Map<string, number>, name: string, by: number) {
  counts.set(name, (counts.get(name) ?? 0) + by)
}

function outcomeOf(error: unknown, { aborted }: AbortSignal): string {
  if (error instanceof ParleyError) return error.code
  return aborted ? 'cancelled' : 'internal'
}

function described(error: unknown) {
  return error instanceof Error ? { error: error.message, stack: error.stack } : { error: String(error) }
}

function since(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10
}
