import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { View } from '../../chat/view.ts'
import type { Composer } from '../../protocol/composer.ts'
import { type ErrorCode, ParleyError } from '../../protocol/errors.ts'
import { BRIDGE } from '../../protocol/frames/bridge.ts'
import { LOOP } from '../../protocol/frames/loop.ts'
import { ROUTER } from '../../protocol/frames/router.ts'
import { offeredIn } from '../../protocol/frames/subprotocols.ts'
import { TIMELINE } from '../../protocol/frames/timeline.ts'
import { parse } from '../../protocol/parse.ts'
import type { Principal } from '../../protocol/principal.ts'
import { Name } from '../../protocol/text/text.ts'
import { bridge } from './bridge-dialect.ts'
import type { Connection, Dialect, Launching, Speaker } from './dialect.ts'
import { speakTogether } from './event-dialect.ts'
import { loop } from './loop-dialect.ts'
import { router } from './router-dialect.ts'
import { createSocket, type Socket } from './socket.ts'
import { speakTimeline } from './timeline-dialect.ts'

export interface DoorParts {
  frameLimitBytes: number
  highWaterBytes: number
  heartbeatMs: number
  composer: Composer
  policy?: Connection['policy']
  readiness?: Connection['readiness']
  /** Absent where the hub starts no agents. */
  launcher?: { as(now: () => Principal): Launching }
  /** Lets a frame of this principal in, or throws why not. */
  admit(principal: Principal): void
  /** Sees every connection. */
  telemetry(connection: { dialect: string; principal: Principal }): ConnectionTelemetry
  report(error: unknown): void
}

interface Caller {
  view: View
  /** Who it is by now; throws where it may not call any more. */
  now(): Principal
  /** A page of an origin that somebody allowed by name. */
  isOtherOrigin: boolean
}

interface ConnectionTelemetry {
  received(text: string): void
  refused(code: ErrorCode): void
  slow(): void
  closed(code: number): void
}

// How long what was let in may take when the door closes, and then a client to read why it is disconnected.
const GOODBYE_MS = 500

const DIALECTS = new Map<string, Dialect>([
  [BRIDGE, speakTogether(bridge)],
  [LOOP, speakTogether(loop)],
  [ROUTER, speakTogether(router)],
  [TIMELINE, speakTimeline],
])
const KNOWN = [...DIALECTS.keys()].join(', ')
const DOCUMENTED = speakTogether(bridge, loop, router)

/** `/ws`: picks the dialect by `?dialect=` or subprotocol; a client that names none may speak any documented one. */
export function openWsDoor(parts: DoorParts) {
  const {
    frameLimitBytes,
    highWaterBytes,
    heartbeatMs,
    composer,
    policy,
    readiness,
    launcher,
    admit,
    telemetry,
    report,
  } = parts
  const sockets = new Set<Socket>()
  let performing = 0
  let allPerformed = () => {}
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: frameLimitBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => [...offered].find((name) => DIALECTS.has(name)) ?? false,
  })
  return { upgrade, count: () => sockets.size, close }

  /** Throws before anything is upgraded when the request asks for what is not there. */
  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, url: URL, caller: Caller) {
    const { view } = caller
    const { dialects, token, pageKey } = offeredIn(request.headers['sec-websocket-protocol'])
    // Browsers hang up when nothing of what they offered is taken, and a secret never is.
    if ((token ?? pageKey) !== undefined && dialects.length === 0) throw new ParleyError('no_dialect', { known: KNOWN })
    const asked = url.searchParams.get('dialect') ?? dialects[0]
    const speak = pick(asked)
    const session = url.searchParams.get('session')
    const seen = session === null ? view : view.within(parse(Name, session))
    server.handleUpgrade(request, stream, head, (ws) =>
      connect(ws, asked ?? 'documented', speak, { ...caller, view: seen }),
    )
  }

  function connect(ws: WebSocket, dialect: string, speak: Dialect, { view, now, isOtherOrigin }: Caller) {
    const { principal } = view
    const told = telemetry({ dialect, principal })
    let speaker: Speaker | undefined
    const socket = createSocket({
      ws,
      heartbeatMs,
      highWaterBytes,
      async receive(text, isBinary) {
        told.received(text)
        admit(principal)
        performing++
        try {
          await (isBinary ? refuseBinary() : speaker?.receive(text))
        } finally {
          if (--performing === 0) allPerformed()
        }
      },
      refuse(error, text) {
        told.refused(error.code)
        speaker?.refuse(error, text)
      },
      slow: told.slow,
      report,
    })
    sockets.add(socket)
    const { send, sendSoon, behind } = socket
    const launching = isOtherOrigin ? 'foreign' : launcher?.as(now)
    speaker = speak({ view, composer, policy, readiness, launching, send, sendSoon, behind, fail })
    socket.onClose((code) => {
      sockets.delete(socket)
      speaker?.close()
      told.closed(code)
    })

    function fail(error: unknown) {
      report(error)
      socket.end('internal')
    }
  }

  /** Commands that were let in before are carried out and acknowledged first. */
  async function close() {
    if (performing > 0) await within(new Promise<void>((resolve) => (allPerformed = resolve)))
    const closed = Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.onClose(resolve))))
    for (const socket of sockets) socket.end('shutting_down')
    await within(closed)
    for (const client of server.clients) client.terminate()
  }
}

async function within(work: Promise<unknown>) {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())])
}

// The refusal comes as late as a dialect's, so that answers keep the order of the frames.
async function refuseBinary() {
  throw new ParleyError('invalid', { problem: 'Frames are text, not binary' })
}

function pick(name: string | undefined): Dialect {
  if (name === undefined) return DOCUMENTED
  const dialect = DIALECTS.get(name)
  if (!dialect) throw new ParleyError('unknown_dialect', { dialect: name, known: KNOWN })
  return dialect
}
