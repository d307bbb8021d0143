import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type Server,
} from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import type { Era } from '../../../src/doors/mcp/era.ts'
import { openLineConnection } from '../../../src/doors/mcp/lines/line-connection.ts'
import type { LineGuest } from '../../../src/doors/mcp/lines/line-guest.ts'
import { buildServer, type Caller } from '../../../src/doors/mcp/surface.ts'
import { agentSurface } from '../../../src/doors/mcp/surfaces/agent-surface.ts'
import { localPrincipal } from '../../../src/protocol/principal.ts'
import { newLog, openTestChat } from '../chat.ts'

export type Rpc = Record<string, unknown>

interface LineInMemory {
  /** Whether calls of tools may take the short way. */
  short: boolean
  era?: Era
  /** Changes the server before anybody speaks with it. */
  changed?(server: Server): void
  /** What its guest says to each request. */
  asks?: LineGuest['asks']
}

/** What a client of the 2026 era says of itself with each request. */
export const ENVELOPE = {
  [PROTOCOL_VERSION_META_KEY]: '2026-07-28',
  [CLIENT_INFO_META_KEY]: { name: 'codex', version: '1' },
  [CLIENT_CAPABILITIES_META_KEY]: {},
}

/** An agent at the hub's end of a line that has made its first call there, with a chat of its own. */
export async function lineInMemory(wanted: LineInMemory) {
  const { short, era = 'legacy', changed = () => {}, asks = () => undefined } = wanted
  const { view } = openTestChat({ log: newLog({ appendsReadable: true }) })
  const session = view.agentSession({ conversation: 'work', title: 'work' })
  const answers: Rpc[] = []
  let waiting: (() => boolean)[] = []
  const keys = new Map<unknown, string>()
  const said = { writes: 0, frames: 0, bytes: 0 }
  const socket = new Duplex({
    read() {},
    writev(chunks, done) {
      const lines = chunks.map(({ chunk }) => String(chunk)).join('')
      const frames = lines.trim().split('\n')
      said.writes++
      said.frames += frames.length
      said.bytes += Buffer.byteLength(lines)
      for (const frame of frames) hearAnswer(JSON.parse(frame))
      done()
    },
  })
  const connection = openLineConnection(socket as Socket, {
    build(_, { offers, ...calls }) {
      const surface = agentSurface({ sessionOf, maxWaitSeconds: 3600 })
      const server = buildServer(surface, localPrincipal('agent'), { ...calls, ...(short && { offers }) })
      changed(server)
      return server
    },
    listening: async () => undefined,
    dismiss() {},
    guest: { tells() {}, asks, reads() {} },
    remember() {},
    answered() {},
    closed() {},
    report() {},
  })
  onTestFinished(connection.end)
  if (era === 'legacy') {
    const clientInfo = { name: 'codex', version: '1' }
    say({ jsonrpc: '2.0', id: 'first', method: 'initialize', params: { ...INITIALIZE, clientInfo } })
    await answerTo('first')
    say({ jsonrpc: '2.0', method: 'notifications/initialized' })
  } else {
    // The SDK sees who it is, as it does with the first call of every client.
    call('first', 'check_messages')
    await answerTo('first')
  }
  answers.length = 0
  await turn()
  return { view, answers, said: () => ({ ...said }), say, call, answerTo, end: connection.end }

  async function sessionOf({ client }: Caller) {
    session.speaksAs(client)
    return session
  }

  function say(mcp: Rpc, key = keyOf(mcp.id)) {
    if ('id' in mcp) keys.set(mcp.id, key)
    connection.hear({ mcp, ...('id' in mcp && { key }) }, 0)
  }

  function call(id: unknown, name: string, input: Rpc = {}, more: Rpc = {}, key?: string) {
    const meta = era === 'modern' && { _meta: ENVELOPE }
    say({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input, ...meta, ...more } }, key)
  }

  function answerTo(id: unknown): Promise<Rpc> {
    return new Promise((resolve) => {
      const look = () => {
        const answer = answers.find((one) => one.id === id)
        if (!answer) return false
        resolve(answer)
        return true
      }
      if (!look()) waiting.push(look)
    })
  }

  function hearAnswer({ mcp, slips }: { mcp?: Rpc; slips?: unknown[] }) {
    if (!mcp) return
    answers.push(mcp)
    waiting = waiting.filter((look) => !look())
    const { id } = mcp
    // The line has written it to its client.
    const got = keys.get(id)
    if (got !== undefined && slips) queueMicrotask(() => connection.hear({ got }, 0))
  }
}

const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {} }

function keyOf(id: unknown): string {
  return `key-${JSON.stringify(id)}`
}
