import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A request and its answer. */
export interface RequestContext {
  /** Whether all of the answer was handed to the system before the connection was gone. */
  finished: Promise<boolean>
  /** Resolves when it was, and the client closed its end before it had read it; otherwise never. */
  unread: Promise<void>
  /** The same whenever the same token was shown, or the same sign-in. */
  shown: string
  /**
   * What outlasts this request, and ends when whoever opened it may not call any more; what comes back ends watching
   * it.
   */
  outlasting(end: () => void): () => void
  /** Ends the connection with whatever of the answer has not left. */
  cut(): void
}

type About = Omit<RequestContext, 'finished' | 'unread' | 'cut'>

/** A connection that breaks after this long says nothing about its last answer. [M76] */
const CROSSING_MS = 5000
const ASKS_AGAIN = Symbol('asks again')

export function requestContextOf(response: ServerResponse, { shown, outlasting }: About): RequestContext {
  const { promise: finished, resolve } = Promise.withResolvers<boolean>()
  const { promise: unread, resolve: isUnread } = Promise.withResolvers<void>()
  const { socket } = response.req
  socket.emit(ASKS_AGAIN)
  response.once('finish', () => {
    resolve(true)
    watch(socket, isUnread)
  })
  response.once('close', () => resolve(false))
  if (response.closed) resolve(false)
  return { finished, unread, shown, outlasting, cut: () => void response.destroy() }
}

/**
 * A system answers with a reset where a program closed a connection with something in it to read, or that something
 * still came to. Who has read all of its answer and closes then just ends it; who asks for more has read it.
 */
function watch(socket: Socket, isUnread: () => void) {
  const before = socket.bytesRead
  const timer = setTimeout(stop, CROSSING_MS).unref()
  // This runs before the server ends its own side, after which nothing can be written.
  socket.prependListener('end', look)
  socket.on('error', broken)
  socket.on('close', stop)
  socket.on(ASKS_AGAIN, stop)

  /** A reset behind the end is seen by who writes, and be it nothing. */
  function look() {
    if (socket.writable) socket.write('')
  }

  function broken() {
    if (socket.bytesRead === before) isUnread()
  }

  function stop() {
    clearTimeout(timer)
    socket.off('end', look)
    socket.off('error', broken)
    socket.off('close', stop)
    socket.off(ASKS_AGAIN, stop)
  }
}
