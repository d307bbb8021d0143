import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'
import { identityOf } from './folder.ts'
import { shortFolder, socketPlaces } from './place.ts'

interface Listening {
  connected(socket: Socket): void
  /** Whether this process still holds the lock of the folder, which it may take again for that. */
  isOurs(): boolean
}

const LOOK_MS = 1000
const isFile = process.platform !== 'win32'

/**
 * Listens where the lines of this folder look for their hub, for nobody but its owner. Only for who holds the lock of
 * the folder: whatever was left at the place is taken away, and a socket that somebody removes is made again.
 */
export async function listenOnSocket(data: string, { connected, isOurs }: Listening) {
  let problem: unknown
  for (const place of socketPlaces(data)) {
    try {
      return stayAt(place, await listenAt(place, connected), { connected, isOurs })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      problem = error
    }
  }
  throw new ParleyError('no_socket', { data, reason: (problem as Error)?.message ?? 'the folder is gone' }, problem)
}

function stayAt(place: string, first: Server, { connected, isOurs }: Listening) {
  let server = first
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
    const next = await listenAt(place, connected)
    own = identityOf(place)
    server.close()
    server = next
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
function listenAt(place: string, connected: (socket: Socket) => void): Promise<Server> {
  const name = isFile ? place.replace(/\.sock$/, '.new') : place
  if (isFile) {
    if (dirname(place) === shortFolder()) makePrivate(dirname(place))
    rmSync(name, { force: true })
  }
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  const server = createServer((socket) => {
    // Whoever breaks off before anybody listens to them must not end the hub.
    socket.on('error', () => socket.destroy())
    connected(socket)
  })
  server.once('error', reject)
  // From the first moment on: between listening and changing the mode somebody else could connect.
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

/** A folder that somebody else could have made must not hold our socket. */
function makePrivate(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw Object.assign(new Error(`${folder} is not private`), { code: 'EACCES' })
}
