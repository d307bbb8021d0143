import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ifSystemError, isSystemError } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { LOOPBACK } from './address.ts'
import { isLoopback } from './guard.ts'

const TRIES = 20

export function addressesOf(host: string): string[] {
  return isLoopback(host) ? LOOPBACK : [host]
}

/**
 * Listens at one port of all these addresses, 0 for any that is free at all of them, or at none. An address that this
 * machine does not have is left out.
 */
export async function bindEach(
  addresses: string[],
  port: number,
  newServer: () => Server,
  tries = TRIES,
): Promise<Server[]> {
  const servers: Server[] = []
  let missing: unknown
  const isMissing = ifSystemError(
    (error) => {
      missing = error
    },
    'EADDRNOTAVAIL',
    'EAFNOSUPPORT',
  )
  try {
    for (const address of addresses) {
      const bound = await bind(address, portOf(servers[0]) ?? port, newServer()).catch(isMissing)
      if (bound) servers.push(bound)
    }
  } catch (error) {
    servers.forEach(drop)
    if (port !== 0 || tries === 1 || !(error instanceof ParleyError)) throw error
    return bindEach(addresses, port, newServer, tries - 1)
  }
  if (servers.length === 0) throw missing
  return servers
}

export function portOf(server: Server | undefined): number | undefined {
  return (server?.address() as AddressInfo | undefined)?.port
}

function bind(address: string, port: number, server: Server): Promise<Server> {
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  server.once('error', (error) => {
    reject(isSystemError(error, 'EADDRINUSE', 'EACCES') ? new ParleyError('port_taken', { port }, error) : error)
  })
  server.listen(port, address, () => resolve(server))
  return promise
}

/** Its port is free at once; whoever came to it meanwhile keeps nobody waiting. */
function drop(server: Server) {
  server.close()
  server.closeAllConnections()
}
