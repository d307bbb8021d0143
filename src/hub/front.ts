import { refusalFor } from '../protocol/refusal.ts'
import '../doors/mcp/no-jit.ts'
import type { Socket } from 'node:net'
import { isLoopback } from '../doors/http/guard.ts'
import { openLineDoor } from '../doors/mcp/lines/line-door.ts'
import type { Hear, LineGuest } from '../doors/mcp/lines/line-guest.ts'
import type { LineHub } from '../doors/mcp/lines/line-session.ts'
import { createStrangers, type Stranger } from '../doors/socket/strangers.ts'
import { attempt } from '../io/attempt.ts'
import { readLines } from '../io/lines.ts'
import { ParleyError } from '../protocol/errors.ts'
import { type Farewell, type FromHub, Hello, type HubStatus, type MountOrder, Order } from '../protocol/frames/link.ts'
import { LINK_FORMAT } from '../protocol/frames/link-format.ts'
import { LINK_LIMITS } from '../protocol/frames/link-limits.ts'
import { parse, parseJson } from '../protocol/parse.ts'
import { type Given, HUB_SETTINGS, hubSettings } from '../protocol/settings.ts'
import { isNewer } from '../protocol/text/newer.ts'
import type { PolicyNews } from '../protocol/tools/policy.ts'
import { VERSION } from '../protocol/version.ts'
import type { StartupLock } from './startup-lock.ts'

interface FrontParts {
  startupLock: StartupLock
  /** Settings that the hub was started with. */
  given: Given
  tokens?: string
  /** Absent for a hub that stays. */
  keepSeconds?: number
  /** Somebody wants the hub to end. Resolves when it has. */
  end(farewell: Farewell): Promise<void>
  isEnding(): boolean
  /** Called whenever a line comes or goes. */
  changed(): void
  report(error: unknown): void
}

/** The hub as what stands before it needs it. */
export interface Behind extends LineHub {
  /**
   * Forgets a conversation by its name or title. Resolves when nobody sees it any longer, with a promise that resolves
   * when nothing is left of it.
   */
  forget(name: string): Promise<{ erased: Promise<void> }>
  mount(order: MountOrder): Promise<FromHub>
  /** Removes the files that no conversation names. */
  collect(): Promise<{ files: number; bytes: number }>
  /** Open WebSockets. */
  pages(): number
  /** Conversations that have an agent. */
  agents(): string[]
  policy: { news(): PolicyNews }
  tokens: { exist(): boolean }
}

export type Front = ReturnType<typeof openFront>

const OPENING_BRACE = 0x7b

/**
 * The front for connections over the socket: lines, with the servers of their agents, and the owner. An agent is
 * answered before the hub is there.
 */
export function openFront({
  startupLock,
  given,
  tokens,
  keepSeconds,
  isEnding,
  changed,
  report,
  ...parts
}: FrontParts) {
  const { host, listener, url, isOwnersKey } = startupLock
  const since = Date.now()
  const hub = Promise.withResolvers<Behind>()
  const answered = Promise.withResolvers<void>()
  // Each caller that needs it gets the error.
  hub.promise.catch(() => {})
  let behind: Behind | undefined
  const lines = openLineDoor({
    hub: hub.promise,
    page: () => ({ url, open: (behind?.pages() ?? 0) > 0 }),
    isOwnersKey,
    welcome,
    answered: answered.resolve,
    changed,
    report,
  })
  const connections = new Set<Socket>()
  const strangers = createStrangers()
  startupLock.onConnection(connect)
  return {
    lines,
    /** Resolves once anybody got an answer. */
    answered: answered.promise,
    /** The hub is there from now on. */
    open(opened: Behind) {
      behind = opened
      hub.resolve(opened)
    },
    /** There will be none. */
    fail: hub.reject,
    close() {
      for (const each of connections) each.destroy()
    },
  }

  /** What starts as JSON is a line or an order; everything else is HTTP. */
  function connect(socket: Socket) {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    let isHttp = false
    const stranger = strangers.came(socket, (error) => {
      if (!isHttp) refuse(socket, error)
    })
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      socket.unshift(chunk)
      isHttp = chunk[0] !== OPENING_BRACE
      if (!isHttp) speak(socket, stranger)
      else listener.takeFromFolder(socket, isOwnersKey)
      process.nextTick(() => socket.resume())
    })
  }

  function speak(socket: Socket, stranger: Stranger) {
    let hear: Hear = begin
    readLines(socket, {
      limitLength: LINK_LIMITS.frameLength,
      isTooMuch: stranger.isTooMuch,
      line: (text) =>
        attempt(() => {
          // A frame that weighs too much is refused before it is parsed.
          const weight = stranger.weighs(text)
          hear(parseJson(text), weight)
        }, end),
      tooLong: () => end(new ParleyError('too_large')),
    })

    /** Nothing more of it is heard, however long it stays. */
    function end(error: unknown) {
      hear = () => {}
      refuse(socket, error)
    }

    function begin(frame: unknown) {
      if (typeof frame === 'object' && frame !== null && 'order' in frame) {
        if (!isOwnersKey((frame as { key?: unknown }).key)) throw new ParleyError('owner_only')
        stranger.isNone()
        return carryOut(socket, parse(Order, frame))
      }
      const hello = parse(Hello, (frame as { hello?: unknown } | null)?.hello)
      const isOwner = isOwnersKey(hello.key)
      if (isOwner) stranger.isNone()
      // A line that is let in now would be told that the hub was stopped, and start no other.
      if (isEnding()) return void socket.end(frameOf({ bye: 'ending' }))
      // A line without the key could otherwise end the hub by saying so.
      if (isOwner && isNewer(hello.version, VERSION)) {
        socket.end(frameOf({ bye: 'handing_over' }))
        return void parts.end('handing_over')
      }
      if (hello.format !== LINK_FORMAT) throw new ParleyError('link_format', { line: hello.version, hub: VERSION })
      stranger.says(hello)
      stranger.tells([...(hello.slips ?? []), ...(hello.seats ?? []).map(() => ({}))])
      hear = lines.connect(socket, hello, stranger)
    }
  }

  function carryOut(socket: Socket, order: Order) {
    const failed = (error: unknown) => refuse(socket, error)
    if (order.order === 'forget') return void forget(socket, order.conversation).catch(failed)
    if (order.order === 'mount') return void mount(socket, order).catch(failed)
    if (order.order === 'gc') return void collect(socket).catch(failed)
    if (order.order === 'status') return void socket.end(frameOf({ status: status() }))
    socket.write(frameOf({ stopping: true }))
    void parts.end('stopped')
  }

  async function forget(socket: Socket, name: string) {
    const { erased } = await (await hub.promise).forget(name)
    socket.write(frameOf({ forgetting: true }))
    await erased
    socket.end()
  }

  async function collect(socket: Socket) {
    socket.end(frameOf({ collected: await (await hub.promise).collect() }))
  }

  async function mount(socket: Socket, order: MountOrder) {
    socket.end(frameOf(await (await hub.promise).mount(order)))
  }

  function status(): HubStatus {
    const known = lines.about()
    const own = new Set(known.map(({ conversation }) => conversation))
    return {
      version: VERSION,
      pid: process.pid,
      url,
      more_ports: listener.morePorts(),
      since,
      keep_seconds: keepSeconds,
      lines: known,
      agents: behind?.agents().filter((conversation) => !own.has(conversation)) ?? [],
      pages: behind?.pages() ?? 0,
      policy: behind?.policy.news(),
      protected: behind?.tokens.exist(),
    }
  }

  async function welcome(hello: Hello, { opensPort }: LineGuest) {
    await hub.promise
    const { port } = hello
    const told = { version: VERSION, pid: process.pid, url, other: othersIn(hello) }
    if (port === undefined) return { welcome: told, leave() {} }
    try {
      opensPort({ port, url })
      const { leave, ...there } = await listener.also(port)
      return { welcome: { ...told, ...there }, leave }
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error
      const problem = error.code === 'too_many_ports' ? { port_refused: error.message } : { port_taken: port }
      return { welcome: { ...told, ...problem }, leave() {} }
    }
  }

  /** The flags that the line asked for and does not get. */
  function othersIn({ wants, tokens: wanted }: Hello): string[] {
    const names = HUB_SETTINGS.filter((name) => wants[name] !== undefined && differs(wants, name))
    const others = names.map((name) => `--${name}`)
    return wanted === undefined || wanted === tokens ? others : [...others, 'PARLEY_TOKENS']
  }

  function differs(wants: Given, name: (typeof HUB_SETTINGS)[number]): boolean {
    // A loopback host is at both addresses, by whatever name.
    if (name === 'host' && isLoopback(host) && isLoopback(wants.host ?? '')) return false
    const one = { [name]: wants[name] }
    return JSON.stringify(hubSettings({ ...given, ...one })) !== JSON.stringify(hubSettings(given))
  }

  function refuse(socket: Socket, error: unknown) {
    socket.end(frameOf({ refused: refusalFor(error, report).message }))
  }
}

function frameOf(frame: FromHub): string {
  return `${JSON.stringify(frame)}\n`
}
