import type { Socket } from 'node:net'
import { join } from 'node:path'
import { searchText } from '../chat/reading/search-place.ts'
import { isClosed } from '../doors/http/access/closed-folder.ts'
import { isLoopback } from '../doors/http/guard.ts'
import { bindListener } from '../doors/http/listener.ts'
import { firstAnswer } from '../doors/mcp/first-answer.ts'
import { createEarlyLines } from '../doors/socket/early-lines.ts'
import { identityOf, makeDataFolder } from '../doors/socket/folder.ts'
import { keepOwnerKey } from '../doors/socket/keep-owner-key.ts'
import { rememberHub } from '../doors/socket/last-hub.ts'
import { listenOnSocket } from '../doors/socket/listen.ts'
import { lockNow } from '../files/file-lock.ts'
import { logFile } from '../log/file-name.ts'
import { startSqliteThread } from '../log/sqlite/sqlite-thread.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Hello } from '../protocol/frames/link.ts'

interface StartupLockParts {
  /** The folder, or `memory`, which nobody else can have. */
  data: string
  host: string
  /** Tokens from the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
  /** The first that can be had is the hub's. */
  ports: readonly [number, ...number[]]
}

export type StartupLock = Awaited<ReturnType<typeof takeStartupLock>>

/**
 * Makes this process the hub of a data folder: its lock, its port and its socket are here, and the thread of its log has
 * started. It loads little, so that all this comes before the rest is even loaded; whoever connects meanwhile waits, but
 * for the answer to a plain handshake.
 */
export async function takeStartupLock({ data, host, tokens, ports }: StartupLockParts) {
  await using taking = new AsyncDisposableStack()
  // Tokens are checked before anything listens where somebody could reach it who must not.
  const asksForTokens = tokens !== undefined || !isLoopback(host) || isClosed(data)
  const door = asksForTokens ? await import('../doors/http/access/open-tokens.ts') : undefined
  door?.mustHaveTokens({ data, host, tokens })
  const isFolder = data !== 'memory'
  const lock = isFolder ? taking.adopt(takeFolder(data), ({ release }) => release()) : undefined
  door?.closeFolder({ data, tokens })
  // Nobody else has the connection to a hub that keeps nothing.
  const isOwnersKey = isFolder ? keepOwnerKey(data) : () => true
  const thread = startSqliteThread({ path: isFolder ? logFile(data) : ':memory:', text: searchText().href })
  taking.adopt(thread, ({ abandon }) => abandon())
  const listener = taking.adopt(await bindListener(host, ports), ({ close }) => close())
  const early = createEarlyLines({ isOwnersKey, answer })
  let connected = early.came
  const hear = (socket: Socket) => connected(socket)
  const moved = (place: string) => rememberHub(data, { pid: process.pid, port: listener.port, socket: place })
  const socket = lock ? await listenOnSocket(data, { connected: hear, isOurs: lock.isOurs, moved }) : undefined
  if (socket) taking.defer(socket.close)
  if (socket) moved(socket.place)
  const taken = taking.move()
  return {
    host,
    listener,
    thread,
    url: listener.url,
    /** Whether whoever shows this can read the folder, and not only open its socket. */
    isOwnersKey,
    /** Resolves once somebody who came has its first answer, or has to wait for more than that, or is gone. */
    greeted: early.greeted,
    /** One that came by another way. */
    connect: hear,
    /** Passes on connections, those that came already included. */
    onConnection(connect: (socket: Socket) => void) {
      connected = connect
      early.handOver(connect)
    },
    /** Nobody new comes in. */
    shut: () => void socket?.close(),
    close: () => taken.disposeAsync(),
  }

  /** What an agent is told that needs no token, and is served before there is a hub. */
  function answer({ surface, token }: Hello, request: object): object | undefined {
    const isServed = token === undefined && (surface === 'bridge' || surface === 'agent')
    return isServed ? firstAnswer(surface, request, listener.url) : undefined
  }
}

/** Makes this process the only one that is the hub of a folder, or changes what is its hub's. */
export function lockFolder(data: string): () => void {
  const release = lockNow(lockIn(data))
  if (!release) throw new ParleyError('data_in_use', { reason: `${data} is in use by another Parley` })
  return release
}

function lockIn(data: string): string {
  return join(data, 'hub.lock')
}

/** The lock lets one of several processes be the hub of a folder. */
function takeFolder(data: string) {
  makeDataFolder(data)
  const path = lockIn(data)
  const held = { release: lockFolder(data), file: identityOf(path) }
  let log = identityOf(logFile(data))
  return { isOurs, release: () => held.release() }

  /** A lock that was removed is made again: whoever has the log is the hub, and nobody else can be. */
  function isOurs(): boolean {
    const found = identityOf(logFile(data))
    log ??= found
    if (identityOf(path) === held.file) return true
    const again = found !== undefined && found === log ? lockNow(path) : undefined
    if (!again) return false
    held.release()
    Object.assign(held, { release: again, file: identityOf(path) })
    return true
  }
}
