import { lstatSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'
import { mustBeOurs } from './folder.ts'
import { hubSilent, lastHub } from './last-hub.ts'
import { socketPlaces } from './place.ts'

/** A file that is no socket is as good as none: the next hub takes it away. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ECONNRESET', 'EPIPE']

/** The connection to the hub of a folder; nothing when nobody listens there. */
export async function connectToHub(data: string): Promise<Socket | undefined> {
  for (const place of placesIn(data)) {
    if (isElsewhere(place, data) && isForeign(place)) throw new ParleyError('foreign_socket', { path: place })
    const socket = await connectTo(place, data)
    if (socket) return socket
  }
  return undefined
}

function placesIn(data: string): string[] {
  try {
    mustBeOurs(data)
    const places = socketPlaces(data)
    const told = lastHub(data)?.socket ?? ''
    // A copy of the folder tells where the socket of the original is, whose name is another.
    const isOurs = !places.includes(told) && basename(told) === basename(places.at(-1) ?? '')
    return isOurs && told !== '' ? [...places, told] : places
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new ParleyError('data_unwritable', { reason: `${data} cannot be read (${message})` }, error)
  }
}

function isElsewhere(place: string, data: string): boolean {
  return process.platform !== 'win32' && place !== join(data, 'hub.sock')
}

/** Anybody can make files where everybody may, and would be taken for the hub. */
function isForeign(place: string): boolean {
  const uid = process.getuid?.()
  const file = lstatSync(place, { throwIfNoEntry: false })
  return file !== undefined && uid !== undefined && (file.uid !== uid || lstatSync(dirname(place)).uid !== uid)
}

function connectTo(place: string, data: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    // Half open: what was written to the client last is still told to a hub that said goodbye.
    const socket = connect({ path: place, allowHalfOpen: true }, () => {
      socket.off('error', failed)
      resolve(socket)
    })
    socket.on('error', failed)

    function failed(error: NodeJS.ErrnoException) {
      const { code = '' } = error
      if (NOBODY.includes(code)) resolve(undefined)
      else if (code === 'EACCES' || code === 'EPERM') reject(new ParleyError('foreign_socket', { path: place }, error))
      // More wait to be let in than the system keeps.
      else if (code === 'EAGAIN') reject(hubSilent(data, error))
      else reject(error)
    }
  })
}
