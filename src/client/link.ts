import { createBackOff } from '../io/back-off.ts'
import { orUndo } from '../io/or-undo.ts'
import { oneSession, type SessionLife } from '../io/session/one-session.ts'
import { hasNoSession, isAnswer, isRefused, type Listening, type McpClient } from './mcp-client.ts'

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
  /** Hears whenever there is no connection any more; one that is `refused` is not tried again until `hurry`. */
  lost(error: unknown, loss: 'disconnected' | 'refused'): void
  /** Time to read everything again. */
  retry(): void
}

/** A connection with its subscriptions. */
interface Session {
  client: McpClient
  underWay: Set<AbortController>
  followed: Map<string, Promise<unknown>>
  listening?: Listening
  turn: Promise<unknown>
  lose: SessionLife['lose']
}

/** The way to the server: subscribes before it reads, and starts over when the connection is lost. */
export function openLink({ connect, owns, wanted, updated, lost, retry }: LinkParts) {
  const lives = new WeakMap<McpClient, SessionLife>()
  const sessions = oneSession({ open, end, lost: tryLater })
  const backOff = createBackOff(FIRST_WAIT_MS, LONGEST_WAIT_MS)
  let waiting: ReturnType<typeof setTimeout> | undefined
  let closed = false
  return { read, call, unfollow, hurry, close }

  /** Nothing when there is no connection, and `lost` told so. Throws what the server answers. */
  async function read(uri: string) {
    if (closed) return
    try {
      const contents = await sessions.use((session) => readIn(session, uri), isOver)
      backOff.reset()
      return contents
    } catch (error) {
      if (isOver(error)) return
      backOff.reset()
      throw error
    }
  }

  async function readIn(session: Session, uri: string) {
    // The subscription comes first: what happens between the two is told; the other order could miss it.
    await follow(session, uri)
    const { client } = session
    const { contents } = await stoppable(session, (signal) =>
      client.readResource({ uri }, { signal, cacheMode: 'refresh' }),
    )
    return contents
  }

  /** Throws what the server answers, and when the connection is lost: whether it happened is not known then. */
  async function call(tool: string, input: { [name: string]: unknown }) {
    if (closed) throw new Error('This was closed, and calls nothing any more')
    // A call that is refused says nothing of the connection.
    const isLost = (error: unknown) => isOver(error) && !isRefused(error)
    return sessions.use(({ client }) => client.callTool({ name: tool, arguments: input }), isLost)
  }

  async function open(life: SessionLife): Promise<Session> {
    const client = await connect()
    heed(client, life)
    return { client, underWay: new Set(), followed: new Map(), turn: Promise.resolve(), lose: life.lose }
  }

  /** Handlers the client already has are kept. A client that comes again is heeded only once. */
  function heed(client: McpClient, life: SessionLife) {
    const isKnown = lives.has(client)
    lives.set(client, life)
    if (isKnown) return
    const { onclose, onerror, fallbackNotificationHandler } = client
    client.onclose = () => {
      onclose?.()
      lives.get(client)?.lose(new Error('The connection was closed'))
    }
    client.onerror = (error) => {
      onerror?.(error)
      if (STREAM_LOST.test(error.message)) lives.get(client)?.lose(error)
    }
    client.fallbackNotificationHandler = async (notification) => {
      if (notification.method === UPDATED && !closed) updated(String(notification.params?.uri))
      await fallbackNotificationHandler?.(notification)
    }
  }

  async function follow(current: Session, uri: string) {
    const begun = () => current.followed.get(uri) ?? begin(current, uri)
    await orUndo(begun, () => current.followed.delete(uri))
  }

  function begin(current: Session, uri: string): Promise<unknown> {
    const { client } = current
    const modern = client.getProtocolEra?.() === 'modern'
    // One stream for all: browsers allow six connections to a server, and each stream holds one.
    const uris = modern ? wanted() : [uri]
    const begun = inTurn(current, () =>
      stoppable(current, (signal) =>
        modern ? listen(current, uris, signal) : client.subscribeResource({ uri }, { signal }),
      ),
    )
    for (const one of uris) current.followed.set(one, begun)
    return begun
  }

  async function listen(current: Session, uris: string[], signal: AbortSignal) {
    const stream = await current.client.listen?.({ resourceSubscriptions: uris }, { signal })
    const before = current.listening
    current.listening = stream
    void stream?.closed.then(() => {
      if (current.listening === stream) current.lose(new Error('The server ended the subscription'))
    })
    await before?.close()
  }

  async function unfollow(uri: string) {
    const current = sessions.now()
    if (!current?.followed.has(uri)) return
    const { client, followed } = current
    await inTurn(current, async () => {
      const { listening } = current
      // A stream may bring more than is wanted until the last subscription goes.
      if (wanted().includes(uri) || (listening && wanted().length > 0)) return
      if (listening) followed.clear()
      else followed.delete(uri)
      current.listening = undefined
      // The server may refuse, for a pinned subscription; or it is gone, and the subscription with it.
      await (listening ? listening.close() : client.unsubscribeResource({ uri })).catch(() => {})
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

  function tryLater(error: unknown) {
    clearTimeout(waiting)
    if (closed) return
    // The caller may be connecting a client of theirs again at this moment.
    const isFinal = isRefused(error) && (owns || !hasNoSession(error))
    if (!isFinal) waiting = setTimeout(hurry, backOff.nextByChance())
    lost(error, isFinal ? 'refused' : 'disconnected')
  }

  function end({ client, underWay, listening }: Session) {
    for (const stop of underWay) stop.abort()
    // A stream that is gone already needs no closing.
    listening?.close().catch(() => {})
    if (owns) return client.close()
  }

  function hurry() {
    clearTimeout(waiting)
    retry()
  }

  function close() {
    closed = true
    clearTimeout(waiting)
    // A client that is gone already needs no closing.
    sessions.close().catch(() => {})
  }
}

/** Whether there is no connection any more. Browsers do not name the errors of a lost one. */
function isOver(error: unknown): boolean {
  return !isAnswer(error)
}
