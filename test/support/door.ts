import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { eventually } from './eventually.ts'

/** A hub's door that says only what a test wants said. */
export async function startDoor() {
  const server = new WebSocketServer({ port: 0 })
  await once(server, 'listening')
  const visitors: { socket: WebSocket; heard: unknown[]; say(frame: object): void }[] = []
  server.on('connection', (socket) => {
    const heard: unknown[] = []
    socket.on('message', (data) => heard.push(JSON.parse(String(data))))
    visitors.push({ socket, heard, say: (frame) => socket.send(JSON.stringify(frame)) })
  })
  onTestFinished(() => {
    for (const { socket } of visitors) socket.terminate()
    server.close()
  })
  return { url: `ws://localhost:${(server.address() as AddressInfo).port}`, visitors, visit }

  async function visit(number: number) {
    await eventually(() => expect(visitors.length).toBeGreaterThanOrEqual(number))
    const visitor = visitors[number - 1]
    if (!visitor) throw new Error(`There was no visit ${number}`)
    await eventually(() => expect(visitor.heard).toContainEqual({ type: 'hello' }))
    return visitor
  }
}
