import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Chat } from '../chat/chat.ts'
import { bridgeSurface } from './bridge-surface.ts'
import { buildServer } from './surface.ts'

export interface StdioParts {
  /** The first answers do not wait for the hub; the first call does. */
  chat: Promise<Chat>
  conversation: string
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
  const wire = new StdioServerTransport()
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
