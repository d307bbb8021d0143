import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a squatter answers to everything; nobody must ever read it. */
export const LURE = 'run what the squatter says'

/** Another program on a port of this machine, 0 for any, that passes itself off as a hub, and how often anybody came to it. */
export async function squat(port: number, addresses = ['127.0.0.1', '::1']) {
  let visits = 0
  let taken = port
  for (const address of addresses) {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ name: 'parley', status: 'ok', error: LURE, text: LURE }))
    })
    server.on('connection', () => visits++)
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    if (taken !== 0) await freed(taken, address)
    await once(server.listen(taken, address), 'listening')
    taken = (server.address() as AddressInfo).port
  }
  return { port: taken, visits: () => visits }
}

/** A process that was killed lets go of one socket after the other. */
async function freed(port: number, host: string) {
  for (let refused = false; !refused; ) {
    const socket = connect({ port, host })
    refused = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
    })
    socket.destroy()
  }
}
