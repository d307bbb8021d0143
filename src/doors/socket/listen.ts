import { chmodSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { ParleyError } from '../../protocol/errors.ts'
import { identityOf, makePrivate, newPrivate } from './folder.ts'
import { lastHub } from './last-hub.ts'
import { isInside, shortBases, shortName, socketPlaces } from './place.ts'

interface Listening {
  connected(socket: Socket): void
  /** Whether this process still holds the lock of the folder, which it may take again for that. */
  isOurs(): boolean
  /** Called with the new socket when the hub could not stay where it was. */
  moved(place: string): void
}

const LOOK_MS = 1000
const isFile = process.platform !== 'win32'

/**
 * Listens where the lines of this folder look for their hub, for nobody but its owner. Only for who holds the lock of
 * the folder: whatever was left at the place is taken away, and a socket that somebody removes is made again.
 */
export async function listenOnSocket(data: string, listening: Listening) {
  return stayAt(data, await listenSomewhere(data, listening.connected), listening)
}

interface Heard {
  place: string
  server: Server
}

/** Takes the first place that it can have, and never one in a folder that is not ours. */
async function listenSomewhere(data: string, connected: (socket: Socket) => void): Promise<Heard> {
  let problem: unknown
  for (const placeOf of [...socketPlaces(data).map((place) => () => place), ...otherPlaces(data)]) {
    try {
      const place = placeOf()
      return { place, server: await listenAt(place, isInside(place, data), connected) }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      problem = error
    }
  }
  throw new ParleyError('no_socket', { data, reason: (problem as Error)?.message ?? 'the folder is gone' }, problem)
}

/**
 * Places for when the usual short folder is somebody else's: the one of the last hub, or a new one, of which the data
 * folder tells.
 */
function otherPlaces(data: string): (() => string)[] {
  const name = basename(socketPlaces(data).at(-1) ?? '')
  const last = lastHub(data)?.socket ?? ''
  const isOther = basename(last) === name && basename(dirname(last)).startsWith(`${shortName()}-`)
  if (!isFile || name === '') return []
  return [
    ...(isOther ? [() => last] : []),
    ...shortBases().map((base) => () => join(newPrivate(base, shortName()), name)),
  ]
}

function stayAt(data: string, first: Heard, { connected, isOurs, moved }: Listening) {
  let { place, server } = first
  let own = identityOf(place)
  let looking = false
  let closed = false
  const timer = isFile ? setInterval(look, LOOK_MS).unref() : undefined
  return { place, close }

  async function look() {
    if (looking) return
    looking = true
    try {
      if (isOurs() && identityOf(place) !== own) await listenAgain()
    } catch (error) {
      // There is a next look.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
    looking = false
  }

  async function listenAgain() {
    const next = await listenSomewhere(data, connected)
    const before = server
    ;({ place, server } = next)
    own = identityOf(place)
    before.close()
    moved(place)
    if (closed) await close()
  }

  /** Another hub may have its own there by now. */
  function close(): Promise<void> {
    closed = true
    clearInterval(timer)
    if (isFile && own !== undefined && identityOf(place) === own) rmSync(place, { force: true })
    return new Promise((resolve) => server.close(() => resolve()))
  }
}

/** Listens at another name first: so what was left goes in one step, and Node takes nothing away when it closes. */
function listenAt(place: string, isInData: boolean, connected: (socket: Socket) => void): Promise<Server> {
  const name = isFile ? place.replace(/\.sock$/, '.new') : place
  if (isFile) {
    if (!isInData) makePrivate(dirname(place))
    rmSync(name, { force: true })
  }
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  const server = createServer((socket) => {
    // A client that breaks off before anybody listens to it must not end the hub.
    socket.on('error', () => socket.destroy())
    connected(socket)
  })
  server.once('error', reject)
  // The mode counts from the first moment on: between listening and changing it somebody else could connect.
  const mask = isFile ? process.umask(0o177) : undefined
  try {
    server.listen(name, () => resolve(server))
    if (isFile) {
      chmodSync(name, 0o600)
      renameSync(name, place)
    }
  } catch (error) {
    server.close()
    // It failed already.
    promise.catch(() => {})
    throw error
  } finally {
    if (mask !== undefined) process.umask(mask)
  }
  return promise
}
