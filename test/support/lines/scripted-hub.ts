import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { readLines } from '../../../src/io/lines.ts'
import type { Farewell } from '../../../src/protocol/frames/link.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a line says is for the test to look into.
export type Said = Record<string, any>

/** The other end of a line, where its hub would be. */
export async function listenAsHub(data: string) {
  const waiting: ((connection: HubEnd) => void)[] = []
  const connections: HubEnd[] = []
  const all: HubEnd[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const end = hubEnd(socket)
    all.push(end)
    const next = waiting.shift()
    if (next) next(end)
    else connections.push(end)
  })
  await once(server.listen(join(data, 'hub.sock')), 'listening')
  /** Nobody comes in any more; resolves when all are gone. */
  const close = () => new Promise((resolve) => server.close(resolve))
  onTestFinished(async () => {
    for (const end of all) end.socket.destroy()
    await close()
  })
  return { connection, socket, close }

  /** The next line that comes, with its hello heard. */
  async function connection(): Promise<HubEnd & { hello: Said }> {
    const end = await socket()
    const { hello } = await end.next()
    return Object.assign(end, { hello })
  }

  /** The next that anybody opens. */
  async function socket(): Promise<HubEnd> {
    return connections.shift() ?? new Promise((resolve) => waiting.push(resolve))
  }
}

export type HubEnd = ReturnType<typeof hubEnd>

export function hubEnd(socket: Socket) {
  const heard: Said[] = []
  let wake = () => {}
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  const ended = new Promise<void>((resolve) => socket.on('end', () => resolve()))
  readLines(socket, {
    limitLength: 2 ** 30,
    tooLong() {},
    line(text) {
      heard.push(JSON.parse(text))
      wake()
    },
  })
  return { socket, heard, next, say, welcome, answer, goodbye, closed, ended }

  async function next(): Promise<Said> {
    for (;;) {
      const said = heard.shift()
      if (said) return said
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  function say(frame: Said) {
    socket.write(`${JSON.stringify(frame)}\n`)
  }

  function welcome(more: Said = {}) {
    say({ welcome: { version: '0.1.0', pid: 4711, url: 'http://localhost:4117', other: [], ...more } })
  }

  /** Goes as a hub does that is in no hurry. */
  async function goodbye(bye: Farewell) {
    socket.end(`${JSON.stringify({ bye })}\n`)
    await ended
  }

  /** The hub hears when it has arrived. */
  function answer(id: unknown, result: Said = {}) {
    say({ slips: [], mcp: { jsonrpc: '2.0', id, result } })
  }
}
