import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { MemberNews } from './crowd.ts'

/** One process of a crowd: `node crowd-member.ts URL COUNT MARK HEADERS [HELLO]` holds so many sockets and counts what they hear. */
const [url = '', count = '0', mark = '', headers = '{}', hello] = process.argv.slice(2)
const size = Number(count)
const AT_ONCE = 50
const TELL_MS = 5000
let grown = 0
let heard = 0
let lost: string | undefined

process.on('disconnect', () => process.exit())
setInterval(() => tell({ grown }), TELL_MS)
try {
  for (let opened = 0; opened < size; opened += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, size - opened) }, join))
  tell({ done: 0 })
} catch (error) {
  lose(error)
}

async function join() {
  const socket = new WebSocket(url, { perMessageDeflate: false, headers: JSON.parse(headers) })
  socket.on('message', hear)
  socket.on('close', (code, reason) => lose(`closed with ${code} ${reason}`.trim()))
  await once(socket, 'open')
  if (hello !== undefined) {
    const greeted = once(socket, 'message')
    socket.send(hello)
    await greeted
  }
  grown++
}

function hear(data: Buffer) {
  if (!data.includes(mark)) return
  // Without one of them it is never done, and nobody may have listened when that was told.
  if (lost !== undefined) return tell({ lost })
  grown++
  if (++heard < size) return
  heard = 0
  tell({ done: data.length })
}

function lose(why: unknown) {
  if (lost !== undefined) return
  lost = String(why)
  tell({ lost })
}

function tell(news: MemberNews) {
  if (process.connected) process.send?.(news)
}
