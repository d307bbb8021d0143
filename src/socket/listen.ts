import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'
import { shortFolder, socketPlaces } from './place.ts'

/**
 * Listens where the lines of this folder look for their hub, for nobody but its owner. Only for who holds the lock of
 * the folder: whatever was left at the place is taken away.
 */
export async function listenOnSocket(data: string, connected: (socket: Socket) => void) {
  let problem: unknown
  for (const place of socketPlaces(data)) {
    try {
      const server = await listenAt(place, connected)
      return { close: () => new Promise<void>((resolve) => server.close(() => resolve())) }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      problem = error
    }
  }
  throw new ParleyError('no_socket', { data, reason: (problem as Error)?.message ?? 'the folder is gone' }, problem)
}

function listenAt(place: string, connected: (socket: Socket) => void): Promise<Server> {
  const isFile = process.platform !== 'win32'
  if (isFile) {
    if (dirname(place) === shortFolder()) makePrivate(dirname(place))
    rmSync(place, { force: true })
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
    server.listen(place, () => resolve(server))
    if (isFile) chmodSync(place, 0o600)
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
