import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Chat } from '../chat/chat.ts'
import { BRIDGE } from '../protocol/bridge.ts'
import { ParleyError } from '../protocol/errors.ts'
import { LOOP } from '../protocol/loop.ts'
import { parse } from '../protocol/parse.ts'
import { LOCAL, type Principal } from '../protocol/principal.ts'
import { ROUTER } from '../protocol/router.ts'
import { Name } from '../protocol/text.ts'
import { TIMELINE } from '../protocol/timeline.ts'
import { bridge } from './bridge-dialect.ts'
import { type Dialect, type Line, narrowed, type Speaker } from './dialect.ts'
import { speakTogether } from './event-dialect.ts'
import { loop } from './loop-dialect.ts'
import { router } from './router-dialect.ts'
import { createSocket, type Socket } from './socket.ts'
import { speakTimeline } from './timeline-dialect.ts'

export interface DoorParts {
  chat: Chat
  frameLimitBytes: number
  heartbeatMs?: number
  report(error: unknown): void
}

// How long a client has to read why it is disconnected.
const GOODBYE_MS = 500

const DIALECTS = new Map<string, Dialect>([
  [BRIDGE, speakTogether(bridge)],
  [LOOP, speakTogether(loop)],
  [ROUTER, speakTogether(router)],
  [TIMELINE, speakTimeline],
])
const DOCUMENTED = speakTogether(bridge, loop, router)

/** `/ws`: picks the dialect by `?dialect=` or subprotocol; a client that names none may speak any documented one. */
export function openWsDoor({ chat, frameLimitBytes, heartbeatMs = 25_000, report }: DoorParts) {
  const sockets = new Set<Socket>()
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: frameLimitBytes,
    perMessageDeflate: false,
    handleProtocols: (offered) => [...offered].find((name) => DIALECTS.has(name)) ?? false,
  })
  return { upgrade, close }

  /** Throws before anything is upgraded when the request asks for what is not there. */
  function upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, url: URL, principal: Principal) {
    const dialect = pick(url.searchParams.get('dialect') ?? subprotocol(request))
    const only = onlyConversation(principal, url.searchParams.get('session'))
    const by = principal.name === LOCAL ? 'person' : principal.name
    server.handleUpgrade(request, stream, head, (ws) => connect(ws, dialect, by, only))
  }

  function connect(ws: WebSocket, dialect: Dialect, by: string, only: string | undefined) {
    const seen = only === undefined ? chat : narrowed(chat, only)
    // The dialect may speak before the socket is built around it.
    const line: Line = {
      chat: seen,
      conversation: only,
      by,
      send: (frame) => socket.send(frame),
      sendTogether: (frames) => socket.sendTogether(frames),
      fail,
    }
    let speaker: Speaker | undefined
    const socket = createSocket({
      ws,
      heartbeatMs,
      receive: (text) => speaker?.receive(text),
      refuse: (error, text) => speaker?.refuse(error, text),
      report,
    })
    sockets.add(socket)
    speaker = dialect(line)
    socket.onClose(() => {
      sockets.delete(socket)
      speaker?.close()
    })

    function fail(error: unknown) {
      report(error)
      socket.end('internal')
    }
  }

  async function close() {
    const closed = Promise.all([...sockets].map((socket) => new Promise<void>((resolve) => socket.onClose(resolve))))
    for (const socket of sockets) socket.end('shutting_down')
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())])
    for (const client of server.clients) client.terminate()
  }
}

function onlyConversation({ conversation }: Principal, session: string | null): string | undefined {
  const asked = session === null ? conversation : parse(Name, session)
  if (asked !== (conversation ?? asked)) throw new ParleyError('unknown_conversation', { conversation: asked ?? '' })
  return asked
}

function subprotocol(request: IncomingMessage): string | undefined {
  return request.headers['sec-websocket-protocol']?.split(',')[0]?.trim()
}

function pick(name: string | undefined): Dialect {
  if (name === undefined) return DOCUMENTED
  const dialect = DIALECTS.get(name)
  if (!dialect) throw new ParleyError('unknown_dialect', { dialect: name, known: [...DIALECTS.keys()].join(', ') })
  return dialect
}
