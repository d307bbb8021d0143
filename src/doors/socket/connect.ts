import { lstatSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { basename, dirname } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { ifSystemError } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { unreadable } from '../../protocol/refusal.ts'
import { identityOf, isPrivate, mustBeOurs } from './folder.ts'
import { hubSilent, lastHub } from './last-hub.ts'
import { isOursOrRoots } from './our-path.ts'
import { isInside, socketPlaces } from './place.ts'

/** A file that is no socket is as good as none: the next hub takes it away. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ECONNRESET', 'EPIPE']

/** The connection to the hub of a folder; nothing when nobody listens there. */
export async function connectToHub(data: string): Promise<Socket | undefined> {
  for (const place of placesIn(data)) {
    const folder = ourFolder(place, data)
    if (folder === undefined) continue
    const socket = await connectTo(place, data)
    // The socket that was there a moment ago need not be the one that was reached.
    if (socket && ourFolder(place, data) === folder && isOurs(place, data)) return socket
    socket?.destroy()
  }
  return undefined
}

function placesIn(data: string): string[] {
  return attempt(
    () => {
      mustBeOurs(data)
      const places = socketPlaces(data)
      const told = lastHub(data)?.socket ?? ''
      // A copy of the folder tells where the socket of the original is, whose name is another.
      const isOurs = !places.includes(told) && basename(told) === basename(places.at(-1) ?? '')
      return isOurs && told !== '' ? [...places, told] : places
    },
    ifSystemError(unreadable(data)),
  )
}

/**
 * The folder of the socket, if it is one of ours: where others may make files, they would be taken for the hub. The
 * data folder has been looked at, and nobody else can replace it.
 */
function ourFolder(place: string, data: string): string | undefined {
  if (process.platform === 'win32') return place
  const folder = dirname(place)
  return isInside(place, data) || isPrivate(folder) ? identityOf(folder) : undefined
}

/**
 * Whether who listens there is this user or root: nobody else can give them a file. One that is gone was in a folder of
 * ours, too. Root itself may come to the hub of whom it likes.
 */
function isOurs(place: string, data: string): boolean {
  const uid = process.getuid?.()
  const file = uid === undefined ? undefined : lstatSync(place, { throwIfNoEntry: false })
  return file === undefined || (uid === 0 && isInside(place, data)) || isOursOrRoots(file.uid)
}

function connectTo(place: string, data: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    // The connection is half open: what was written to the client last is still told to a hub that said goodbye.
    const socket = connect({ path: place, allowHalfOpen: true }, () => {
      socket.off('error', failed)
      resolve(socket)
    })
    socket.on('error', failed)

    function failed(error: NodeJS.ErrnoException) {
      const { code = '' } = error
      if (NOBODY.includes(code)) resolve(undefined)
      else if (code === 'EACCES' || code === 'EPERM') reject(new ParleyError('foreign_socket', { path: place }, error))
      // More clients wait to be let in than the system keeps.
      else if (code === 'EAGAIN') reject(hubSilent(data, error))
      else reject(error)
    }
  })
}
