import type { WebSocket } from 'ws'
import { patiently } from './patience.ts'
import { CONVERSATION } from './prefill.ts'
import { FLOOR, serve, start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const ROUNDS = 9
const POSTS = 4000
const IN_FLIGHT = 64

/** Posts over one socket, each durable before it is acknowledged. */
export async function posting({ env, emptyData, file }: Workplace): Promise<Result[]> {
  const floor = start([FLOOR, 'grouped', file('floor')], env())
  const hub = serve(emptyData(), env())
  const toFloor = await openTimeline(await floor.url)
  const toHub = await openTimeline(await hub.url)
  const welcome = toHub.frame('welcome')
  toHub.say({ type: 'hello' })
  await welcome
  const sources = { floor: () => postingRate(toFloor.socket), parley: () => postingRate(toHub.socket) }
  await interleave(1, sources)
  const rates = await interleave(ROUNDS, sources)
  toFloor.close()
  toHub.close()
  await Promise.all([floor.stop(), hub.stop()])
  return [
    {
      measure: `posts, ${IN_FLIGHT} in flight; floor, grouped commits`,
      unit: 'posts/s',
      baseline: median(rates.floor),
      parley: median(rates.parley),
      target: { atLeastTimes: 0.5 },
    },
  ]
}

async function postingRate(socket: WebSocket): Promise<number> {
  const started = performance.now()
  await postMany(socket, POSTS)
  return (POSTS / (performance.now() - started)) * 1000
}

/** Always so many on the way until all are accepted. Looks only at the start of a frame, to take little of the machine. */
export function postMany(socket: WebSocket, count: number): Promise<void> {
  const run = Math.random().toString(36).slice(2)
  let sent = 0
  let accepted = 0
  const done = new Promise<void>((resolve, reject) => {
    socket.on('message', hear)
    while (sent < IN_FLIGHT) post()

    function hear(data: Buffer) {
      const frame = data.subarray(0, 30).toString('latin1')
      if (frame.startsWith('{"type":"refused"')) reject(new Error(String(data)))
      if (!frame.startsWith('{"type":"accepted"')) return
      if (sent < count) post()
      if (++accepted < count) return
      socket.off('message', hear)
      resolve()
    }
  })
  return patiently(`${count} accepted posts`, done)

  function post() {
    const text = textOf(sent)
    socket.send(JSON.stringify({ type: 'post', key: `${run}-${sent++}`, conversation: CONVERSATION, text }))
  }
}
