import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Chat } from '../chat/chat.ts'
import { bridgeSurface } from './bridge-surface.ts'
import { createLineTransport } from './line-transport.ts'
import { buildServer } from './surface.ts'

// A text of 1 MiB may take several times its size as JSON.
const LONGEST_LINE = 8 * 1024 * 1024

export interface StdioParts {
  /** The first answers do not wait for the hub; the first call does. */
  chat: Promise<Chat>
  /** Absent for a new one. */
  conversation?: string
  title: string
  onAnswer(): void
  /** The agent closed its end: stdin is at its end, or stdout is broken. */
  onClose(): void
  onError(error: Error): void
}

/** Speaks MCP with the agent that started this process, in either protocol era. */
export function serveAgentOverStdio({ chat, conversation, title, onAnswer, onClose, onError }: StdioParts) {
  const seat = chat.then((chat) => chat.seat({ conversation, title }))
  // Calls that wait for the hub are told why it did not open; without any, nobody needs the seat.
  seat.catch(ignore)
  const wire = createLineTransport({ input: process.stdin, output: process.stdout, limitLength: LONGEST_LINE })
  const handle = serveStdio(() => buildServer(bridgeSurface({ seatOf: () => seat })), {
    transport: wire,
    onerror: onError,
  })
  const { send, onclose } = wire
  wire.send = async (message) => {
    await send.call(wire, message)
    onAnswer()
  }
  wire.onclose = () => {
    onclose?.()
    void leave()
  }
  return handle

  async function leave() {
    await seat.then(({ close }) => close(), ignore)
    onClose()
  }
}

function ignore() {}
