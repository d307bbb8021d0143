import { once } from 'node:events'
import { WebSocket } from 'ws'

/** One process of a crowd: `node crowd-member.ts URL COUNT MARK HEADERS [HELLO]` holds so many sockets and counts what they hear. */
const [url = '', count = '0', mark = '', headers = '{}', hello] = process.argv.slice(2)
const size = Number(count)
const AT_ONCE = 50
let heard = 0

for (let opened = 0; opened < size; opened += AT_ONCE)
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, size - opened) }, join))
process.send?.('joined')
process.on('disconnect', () => process.exit())

async function join() {
  const socket = new WebSocket(url, { perMessageDeflate: false, headers: JSON.parse(headers) })
  socket.on('message', hear)
  await once(socket, 'open')
  if (hello === undefined) return
  const greeted = once(socket, 'message')
  socket.send(hello)
  await greeted
}

function hear(data: Buffer) {
  if (!data.includes(mark) || ++heard < size) return
  heard = 0
  process.send?.(data.length)
}
