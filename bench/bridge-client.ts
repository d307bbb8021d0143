import { once } from 'node:events'
import { WebSocket } from 'ws'
import { patiently } from './patience.ts'

interface Manner {
  waitForHistory: boolean
  /** The time from a question to its answer; none when absent. */
  thinkingMs?: number
}

/** A person who answers every message of an agent. */
export async function openAnsweringClient(url: string, { waitForHistory, thinkingMs }: Manner) {
  const socket = new WebSocket(`${url}/ws`, { perMessageDeflate: false, maxPayload: 1024 ** 3 })
  const greeted = once(socket, 'message')
  await once(socket, 'open')
  if (waitForHistory) await patiently('the history', greeted)
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data))
    if (frame.type === 'error') throw new Error(`The hub refused an answer: ${data}`)
    if (frame.type !== 'agentMessage') return
    if (thinkingMs === undefined) answer(frame.ack_id)
    else setTimeout(answer, thinkingMs, frame.ack_id)
  })
  return { close: () => socket.terminate() }

  function answer(id: string) {
    socket.send(JSON.stringify({ type: 'ack', id, message: 'Yes' }))
  }
}
