import { WebSocketServer } from 'ws'

/** The least that could show a text as it grows: what one socket adds in 40 ms is one frame, prepared once, to every socket. */
const COALESCED_MS = 40
const door = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
let from = 0
let text = ''
door.on('listening', () => console.error(`http://localhost:${(door.address() as { port: number }).port}`))
door.on('connection', (socket) => {
  socket.on('message', (data) => {
    if (text === '') setTimeout(tell, COALESCED_MS)
    text += String(data)
  })
})
process.stdin.on('end', () => process.exit()).resume()

function tell() {
  const partials = [{ id: 'answer-1', kind: 'message', from, text }]
  const frame = Buffer.from(JSON.stringify({ type: 'partial', conversation: 'bench', by: 'bench', partials }))
  for (const client of door.clients) client.send(frame, { binary: false })
  from += text.length
  text = ''
}
