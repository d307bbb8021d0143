import { once } from 'node:events'
import { WebSocket } from 'ws'
import { patiently } from './patience.ts'

/** A person who answers every message of an agent at once. */
export async function openAnsweringClient(url: string, { waitForHistory }: { waitForHistory: boolean }) {
  const socket = new WebSocket(`${url}/ws`, { perMessageDeflate: false, maxPayload: 1024 ** 3 })
  const greeted = once(socket, 'message')
  await once(socket, 'open')
  if (waitForHistory) await patiently('the history', greeted)
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data))
    if (frame.type === 'agentMessage') socket.send(JSON.stringify({ type: 'ack', id: frame.ack_id, message: 'Yes' }))
  })
  return { close: () => socket.terminate() }
}
