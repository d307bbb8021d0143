import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { orUndo } from '../../io/or-undo.ts'
import { OWNER_HEADER } from '../../protocol/frames/link-format.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import { addressOf } from './address.ts'
import { addressesOf, bindEach, portOf } from './bind.ts'
import { isLoopback } from './guard.ts'
import { createPeerCheck, type House } from './peer-check.ts'
import type { ListenAddress } from './socket-user.ts'

export type Listener = Awaited<ReturnType<typeof bindListener>>

/** Answers with a file, or says that there is none. */
export type ServeFiles = (request: IncomingMessage, response: ServerResponse, missing: () => void) => void

/** The server that answers, once it is there. */
export interface Handlers extends House {
  request(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void>
}

// How long those who are being answered have to read it when the hub closes.
const GOODBYE_MS = 1000
const LOOK_MS = 20

/**
 * Listens on the first of these ports that can be had, 0 for any; where only this machine reaches it, at each address
 * that `localhost` may be. Loads little, so that a hub has its address at once; whoever comes before there is anything
 * to answer with waits for it.
 */
export async function bindListener(host: string, ports: readonly [number, ...number[]]) {
  const handlers = Promise.withResolvers<Handlers>()
  const files = Promise.withResolvers<ServeFiles>()
  const asked = Promise.withResolvers<void>()
  let serving: Handlers | undefined
  /** Files on their way. */
  const answering = new Set<Promise<unknown>>()
  /** Connections over the socket of the data folder, with what knows its owner there. */
  const fromFolder = new WeakMap<object, (shown: unknown) => boolean>()
  const servers = new Set<Server>()
  /** Those that would like to speak something else than HTTP, before anything can answer. */
  const waiting = new Set<Duplex>()
  const place = Promise.withResolvers<ListenAddress>()
  const peerCheck = isLoopback(host) ? createPeerCheck({ house: handlers.promise, place: place.promise }) : undefined
  const wanted = new Map<number, { servers: Promise<Server[]>; users: number }>()
  const own = await bindFirst(ports)
  const port = portOf(own[0]) ?? 0
  place.resolve(own[0]?.address() as AddressInfo)
  const url = urlOf(own)
  return {
    host,
    port,
    url,
    /** Resolves once somebody asks for anything. */
    asked: asked.promise,
    serve(those: Handlers) {
      serving = those
      handlers.resolve(those)
    },
    /** The files of the page need no handlers. */
    serveFirst: files.resolve,
    /** Resolves when everybody who came so far and asks for a file has it. */
    async answered() {
      await new Promise(setImmediate)
      await peerCheck?.looked()
      await new Promise(setImmediate)
      await Promise.all(answering)
    },
    also,
    morePorts: () => [...wanted.keys()],
    takeFromFolder,
    isFromFolder: ({ socket }: IncomingMessage) => fromFolder.has(socket),
    isOwner: ({ socket, headers }: IncomingMessage) => fromFolder.get(socket)?.(headers[OWNER_HEADER]) ?? false,
    mustBeKnown: ({ socket }: IncomingMessage) => peerCheck?.mustBeKnown(socket),
    close,
  }

  async function bindFirst([first = 0, ...others]: readonly number[]): Promise<Server[]> {
    return others.length === 0 ? bind(first) : bind(first).catch(ifRefused(() => bindFirst(others)))
  }

  async function bind(port: number): Promise<Server[]> {
    const bound = await bindEach(addressesOf(host), port, newServer)
    for (const server of bound) servers.add(server)
    return bound
  }

  function newServer(): Server {
    const server = createServer((request, response) => {
      if (serving) serving.request(request, response)
      else void answerEarly(request, response)
    })
    server.on('upgrade', async (request, stream, head) => {
      stream.on('error', () => stream.destroy())
      waiting.add(stream)
      stream.once('close', () => waiting.delete(stream))
      const { upgrade } = await handlers.promise
      waiting.delete(stream)
      await upgrade(request, stream, head)
    })
    peerCheck?.standBefore(server)
    return server
  }

  /** Answers with a file of the page as soon as there is one, and else with what the hub says. */
  async function answerEarly(request: IncomingMessage, response: ServerResponse) {
    asked.resolve()
    const first = await Promise.race([files.promise, handlers.promise.then(() => undefined)])
    if (!first) return (await handlers.promise).request(request, response)
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    answering.add(answered)
    response.once('close', resolve)
    first(request, response, async () => {
      resolve()
      const { request: answer } = await handlers.promise
      answer(request, response)
    })
    await answered
    answering.delete(answered)
  }

  /**
   * Listens on one more port, for as long as somebody who asked for it is there. Rejects when another program has it.
   */
  async function also(more: number): Promise<{ url: string; leave(): void }> {
    if (more === port) return { url, leave() {} }
    const place = wanted.get(more) ?? { servers: bind(more), users: 0 }
    wanted.set(more, place)
    place.users++
    const leave = async () => {
      if (--place.users > 0) return
      wanted.delete(more)
      await Promise.all((await place.servers).map(end))
    }
    const bound = await orUndo(
      () => place.servers,
      () => wanted.delete(more),
    )
    return { url: urlOf(bound), leave: () => void leave() }
  }

  function urlOf(bound: Server[]): string {
    const held = isLoopback(host) ? bound.map((server) => (server.address() as AddressInfo).address) : [host]
    return addressOf(held, portOf(bound[0]) ?? 0)
  }

  /** A connection that came over the socket of the data folder. */
  function takeFromFolder(socket: Socket, isOwnersKey: (shown: unknown) => boolean) {
    fromFolder.set(socket, isOwnersKey)
    peerCheck?.vouchFor(socket)
    for (const server of servers) return server.emit('connection', socket)
  }

  async function close() {
    // Nobody else knows of them, and no server ends before they do.
    for (const stream of waiting) stream.destroy()
    peerCheck?.close()
    await Promise.all([...servers].map(end))
  }

  async function end(server: Server) {
    servers.delete(server)
    const closed = new Promise((resolve) => server.close(resolve))
    // A connection whose answer has left is idle then, and nothing says so.
    const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS)
    const hurry = setTimeout(() => server.closeAllConnections(), GOODBYE_MS)
    await closed
    clearInterval(looking)
    clearTimeout(hurry)
  }
}
