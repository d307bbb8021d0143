import type { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Chat } from '../chat/chat.ts'
import type { Seat } from '../chat/seat.ts'
import { bridgeSurface } from './bridge-surface.ts'
import { buildServer, clientName } from './surface.ts'

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
  let seat: Promise<Seat> | undefined
  const wire = new StdioServerTransport()
  const handle = serveStdio(
    () => {
      const server: Server = buildServer(
        bridgeSurface({ seatOf: (context) => (seat ??= takeSeat(clientName(server, context))) }),
      )
      return server
    },
    { transport: wire, onerror: onError },
  )
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

  async function takeSeat(by: string) {
    return (await chat).seat({ conversation, by, title })
  }

  async function leave() {
    // A seat that could not be taken, because the hub did not open, needs no leaving.
    await seat?.then(
      ({ close }) => close(),
      () => {},
    )
    onClose()
  }
}
