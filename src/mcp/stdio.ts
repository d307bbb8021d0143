import type { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createStdioTransport } from './stdio-transport.ts'

// A text of 1 MiB may take several times its size as JSON.
const LONGEST_LINE = 8 * 1024 * 1024

export interface StdioParts {
  build(context: { era: 'legacy' | 'modern' }): Server | Promise<Server>
  onAnswer(): void
  /** The other program closed its end: stdin is at its end, or stdout is broken. */
  onClose(): void
  onError(error: Error): void
}

/** Speaks MCP with the program that started this process, in either protocol era. */
export function serveOverStdio({ build, onAnswer, onClose, onError }: StdioParts) {
  const wire = createStdioTransport({ input: process.stdin, output: process.stdout, limitLength: LONGEST_LINE })
  const handle = serveStdio(build, { transport: wire, onerror: onError })
  const { send, onclose } = wire
  wire.send = async (message) => {
    await send(message)
    onAnswer()
  }
  wire.onclose = () => {
    onclose?.()
    onClose()
  }
  return handle
}
