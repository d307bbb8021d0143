import { createBackOff } from '../io/back-off.ts'
import { orUndo } from '../io/or-undo.ts'
import { isAnswer, type Listening, type McpClient } from './mcp-client.ts'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 10_000
const UPDATED = 'notifications/resources/updated'
/** How the SDK's HTTP transport says that notifications no longer come; it neither closes nor starts a new session. */
const STREAM_LOST = /SSE stream|Maximum reconnection attempts/

interface LinkParts {
  connect(): Promise<McpClient>
  /** Clients that were made for this link are closed by it. */
  owns: boolean
  /** The URIs to be subscribed to. */
  wanted(): string[]
  updated(uri: string): void
  lost(message: string): void
  /** Time to read everything again. */
  retry(): void
}

/** One connection after the other, each with its subscriptions. */
interface Session {
  client: Promise<McpClient>
  connected?: McpClient
  underWay: Set<AbortController>
  followed: Map<string, Promise<unknown>>
  listening?: Listening
  turn: Promise<unknown>
}

/** The way to the server: subscribes before it reads, and starts over when the connection is lost. */
export function openLink({ connect, owns, wanted, updated, lost, retry }: LinkParts) {
  const heeded = new WeakSet<McpClient>()
  let session: Session | undefined
  const backOff = createBackOff(FIRST_WAIT_MS, LONGEST_WAIT_MS)
  let waiting: ReturnType<typeof setTimeout> | undefined
  let closed = false
  return { read, call, unfollow, hurry, close }

  /** Nothing when the connection is lost, and `lost` told so. Throws what the server answers. */
  async function read(uri: string) {
    if (closed) return
    session ??= open()
    const current = session
    try {
      const client = await current.client
      // The subscription comes first: what happens between the two is told; the other order could miss it.
      await follow(current, client, uri)
      const { contents } = await stoppable(current, (signal) =>
        client.readResource({ uri }, { signal, cacheMode: 'refresh' }),
      )
      backOff.reset()
      return contents
    } catch (error) {
      if (!isAnswer(error)) return lose(current, error)
      backOff.reset()
      throw error
    }
  }

  /** Throws what the server answers, and when the connection is lost: whether it happened is not known then. */
  async function call(tool: string, input: { [name: string]: unknown }) {
    if (closed) throw new Error('This was closed, and calls nothing any more')
    session ??= open()
    const current = session
    try {
      return await (await current.client).callTool({ name: tool, arguments: input })
    } catch (error) {
      if (!isAnswer(error)) lose(current, error)
      throw error
    }
  }

  function open(): Session {
    const opened: Session = {
      client: connect().then((client) => {
        opened.connected = client
        heed(client)
        return client
      }),
      underWay: new Set(),
      followed: new Map(),
      turn: Promise.resolve(),
    }
    return opened
  }

  /** Handlers the client already has are kept. A client that comes again is heeded only once. */
  function heed(client: McpClient) {
    if (heeded.has(client)) return
    heeded.add(client)
    const { onclose, onerror, fallbackNotificationHandler } = client
    client.onclose = () => {
      onclose?.()
      loseClient(client, new Error('The connection was closed'))
    }
    client.onerror = (error) => {
      onerror?.(error)
      if (STREAM_LOST.test(error.message)) loseClient(client, error)
    }
    client.fallbackNotificationHandler = async (notification) => {
      if (notification.method === UPDATED && !closed) updated(String(notification.params?.uri))
      await fallbackNotificationHandler?.(notification)
    }
  }

  async function follow(current: Session, client: McpClient, uri: string) {
    const begun = () => current.followed.get(uri) ?? begin(current, client, uri)
    await orUndo(begun, () => current.followed.delete(uri))
  }

  function begin(current: Session, client: McpClient, uri: string): Promise<unknown> {
    const modern = client.getProtocolEra?.() === 'modern'
    // One stream for all: browsers allow six connections to a server, and each stream holds one.
    const uris = modern ? wanted() : [uri]
    const begun = inTurn(current, () =>
      stoppable(current, (signal) =>
        modern ? listen(current, client, uris, signal) : client.subscribeResource({ uri }, { signal }),
      ),
    )
    for (const one of uris) current.followed.set(one, begun)
    return begun
  }

  async function listen(current: Session, client: McpClient, uris: string[], signal: AbortSignal) {
    const stream = await client.listen?.({ resourceSubscriptions: uris }, { signal })
    const before = current.listening
    current.listening = stream
    void stream?.closed.then(() => {
      if (current.listening === stream) lose(current, new Error('The server ended the subscription'))
    })
    await before?.close()
  }

  async function unfollow(uri: string) {
    const current = session
    if (!current?.connected || !current.followed.has(uri)) return
    const { connected, followed } = current
    await inTurn(current, async () => {
      const { listening } = current
      // A stream may bring more than is wanted until the last subscription goes.
      if (wanted().includes(uri) || (listening && wanted().length > 0)) return
      if (listening) followed.clear()
      else followed.delete(uri)
      current.listening = undefined
      // The server may refuse, for a pinned subscription; or it is gone, and the subscription with it.
      await (listening ? listening.close() : connected.unsubscribeResource({ uri })).catch(() => {})
    })
  }

  /** A subscription must not be overtaken by the end of the one before, nor a stream by a smaller one. */
  function inTurn(current: Session, work: () => Promise<unknown>): Promise<unknown> {
    current.turn = current.turn.then(work, work)
    return current.turn
  }

  /** A signal for each request: the v1 client never lets go of one, and cancels what was answered long ago. */
  async function stoppable<Result>(current: Session, request: (signal: AbortSignal) => Promise<Result>) {
    const stop = new AbortController()
    current.underWay.add(stop)
    try {
      return await request(stop.signal)
    } finally {
      current.underWay.delete(stop)
    }
  }

  function loseClient(client: McpClient, error: Error) {
    if (session?.connected === client) lose(session, error)
  }

  function lose(from: Session, error: unknown) {
    if (from !== session) return
    end(from)
    lost(error instanceof Error ? error.message : String(error))
    clearTimeout(waiting)
    waiting = setTimeout(hurry, backOff.nextByChance())
  }

  function end(from: Session) {
    session = undefined
    for (const stop of from.underWay) stop.abort()
    // What never came about or is gone already needs no closing.
    from.listening?.close().catch(() => {})
    if (owns) from.client.then((client) => client.close()).catch(() => {})
  }

  function hurry() {
    clearTimeout(waiting)
    retry()
  }

  function close() {
    closed = true
    clearTimeout(waiting)
    if (session) end(session)
  }
}
