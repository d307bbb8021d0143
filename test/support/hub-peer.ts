import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { socketPlaces } from '../../src/doors/socket/place.ts'
import type { FromHub, HubStatus, Order } from '../../src/protocol/frames/link.ts'

export const STATUS: HubStatus = {
  version: '1.2.3',
  pid: 4711,
  url: 'http://localhost:4117',
  more_ports: [],
  since: Date.now(),
  lines: [],
  agents: [],
  pages: 0,
}

/** Somebody on the socket of a folder who says what a hub could say to its owner, also what no hub says in a test. */
export async function startPeer(
  data: string,
  parts: { answer?(order: Order['order'], socket: Socket): FromHub | undefined; http?: RequestListener },
) {
  const http = createHttpServer(parts.http)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      if (chunk[0] !== 0x7b) {
        socket.pause()
        socket.unshift(chunk)
        http.emit('connection', socket)
        socket.resume()
        return
      }
      const { order } = JSON.parse(String(chunk)) as Order
      const said = parts.answer?.(order, socket)
      if (said) socket.write(`${JSON.stringify(said)}\n`)
    })
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(socketPlaces(data)[0]), 'listening')
}
