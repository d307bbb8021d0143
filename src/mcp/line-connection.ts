import type { Socket } from 'node:net'
import type { JSONRPCMessage, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { ParleyError } from '../protocol/errors.ts'
import { type FromHub, FromLine } from '../protocol/link.ts'
import { parse } from '../protocol/parse.ts'
import { createLineTransport } from './line-transport.ts'
import type { Era } from './mounts.ts'
import type { Visit } from './visit.ts'

export type LineConnection = ReturnType<typeof openLineConnection>

export interface LineConnectionParts {
  build(context: { era: Era }, calls: NonNullable<Visit['calls']>): Server | Promise<Server>
  /** Calls that wait shall be answered. */
  dismiss(): void
  answered(): void
  closed(saidBye: boolean): void
  report(error: unknown): void
}

type Told = Exclude<FromLine, { hello: unknown }>

/** One connection of a line, with the server that its agent speaks with. */
export function openLineConnection(socket: Socket, parts: LineConnectionParts) {
  const { build, dismiss, answered, closed, report } = parts
  const { transport, calls, receive, got, close } = createLineTransport(write)
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>()
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    const sent = send(message)
    answered()
    return sent
  }
  serveStdio((context) => build(context, calls), { transport, onerror: report })
  const held: Told[] = []
  let settling = false
  let saidBye = false
  socket.on('close', () => {
    isGone()
    closed(saidBye)
  })
  return { hear, write, end, whenClosed: (act: () => void) => void gone.then(act), farewell }

  function hear(frame: unknown) {
    const told = parse(FromLine, frame)
    if ('hello' in told) throw new ParleyError('invalid', { problem: 'A line says hello once' })
    if (settling) held.push(told)
    else act(told)
  }

  function act(told: Told) {
    if ('mcp' in told) receive(told.mcp as unknown as JSONRPCMessage, { key: told.key, waitedMs: told.waited_ms })
    else if ('got' in told) {
      got(told.got)
      settling = true
      setImmediate(goOn)
    } else if ('ending' in told) dismiss()
    else {
      saidBye = true
      end()
    }
  }

  /** What came with the word that an answer arrived: a goodbye or a cancel in the same breath must not undo it. */
  function goOn() {
    settling = false
    while (!settling) {
      const next = held.shift()
      if (!next) return
      act(next)
    }
  }

  function write(frame: FromHub) {
    if (socket.writable) socket.write(`${JSON.stringify(frame)}\n`)
  }

  /** Ends what its agent called. */
  function end() {
    void close()
    socket.end()
  }

  /** What was answered a moment ago may still be told to have arrived. */
  async function farewell(ms: number) {
    socket.end()
    const timer = setTimeout(isGone, ms)
    await gone
    clearTimeout(timer)
    void close()
    socket.destroy()
  }
}
