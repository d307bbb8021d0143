import { WebSocketServer } from 'ws'

/** The least that could tell a crowd: what one socket says is prepared once and sent to every socket. */
const door = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
door.on('listening', () => console.error(`http://localhost:${(door.address() as { port: number }).port}`))
door.on('connection', (socket) => {
  socket.on('message', (data) => {
    const prepared = Buffer.from(String(data))
    for (const client of door.clients) client.send(prepared, { binary: false })
  })
})
process.stdin.on('end', () => process.exit()).resume()
