import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { linesInBytes } from '../../io/lines.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { isRecord } from '../../protocol/text/record.ts'

const LONGEST_LINE = 32 * 1024 * 1024
const LINE_END = Buffer.from('\n')

interface StreamParts {
  stdin: Writable
  stdout: Readable
  /** Called for everything that comes, before it is looked at. */
  heard(): void
  /** Something to wait for before the next one is looked at. */
  behind(): Promise<void> | undefined
  /** A line that is no message. */
  said(line: string): void
  /** Updates come here, in their order and before any answer that follows them; the connection never sees them. */
  update(params: unknown): void
}

/**
 * Messages over the stdio of an agent. Not the SDK's own reading of lines: that answers each one that is no JSON with an
 * error, ends at a line that is too long, and refuses updates that are not of its schema.
 */
export function agentStream({ stdin, stdout, heard, behind, said, update }: StreamParts): Stream {
  const readable = new ReadableStream<AnyMessage>({
    async start(controller) {
      const whole: string[] = []
      const lines = linesInBytes({ most: LONGEST_LINE, line: (line) => whole.push(line), tooLong() {} })
      for await (const chunk of stdout as AsyncIterable<Buffer>) await hear(chunk)
      // Its last line may have no end.
      await hear(LINE_END)
      controller.close()

      async function hear(chunk: Buffer) {
        lines.hear(chunk)
        for (const line of whole.splice(0)) {
          take(line)
          const room = behind()
          if (room) await room
        }
      }

      function take(line: string) {
        heard()
        const message = messageOf(line)
        if (!message) said(line)
        else if (message.method === 'session/update') update(message.params)
        // Answers to nothing, such as to a line that the agent could not read.
        else if ('method' in message || (message.id ?? null) !== null) controller.enqueue(message as AnyMessage)
      }
    },
  })
  const writable = new WritableStream<AnyMessage>({
    write: (message) => new Promise((resolve) => stdin.write(`${JSON.stringify(message)}\n`, () => resolve())),
  })
  return { readable, writable }
}

function messageOf(line: string): Record<string, unknown> | undefined {
  const message = jsonIn(line)
  return isRecord(message) ? { ...message, jsonrpc: '2.0' } : undefined
}
