import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { isRecord } from '../../protocol/text/record.ts'

const LONGEST_LINE = 32 * 1024 * 1024

interface StreamParts {
  stdin: Writable
  stdout: Readable
  /** Called for everything that comes, before it is looked at. */
  heard(): void
  /** A line that is no message. */
  said(line: string): void
  /** Updates come here, in their order and before any answer that follows them; the connection never sees them. */
  update(params: unknown): void
}

/**
 * Messages over the stdio of an agent. Not the SDK's own reading of lines: that answers each one that is no JSON with an
 * error, ends at a line that is too long, and refuses updates that are not of its schema.
 */
export function agentStream({ stdin, stdout, heard, said, update }: StreamParts): Stream {
  const readable = new ReadableStream<AnyMessage>({
    async start(controller) {
      for await (const line of linesOf(stdout)) {
        heard()
        const message = messageOf(line)
        if (!message) said(line)
        else if (message.method === 'session/update') update(message.params)
        // Answers to nothing, such as to a line that the agent could not read.
        else if ('method' in message || (message.id ?? null) !== null) controller.enqueue(message as AnyMessage)
      }
      controller.close()
    },
  })
  const writable = new WritableStream<AnyMessage>({
    write: (message) => new Promise((resolve) => stdin.write(`${JSON.stringify(message)}\n`, () => resolve())),
  })
  return { readable, writable }
}

async function* linesOf(stdout: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      size += end - from
      if (size <= LONGEST_LINE) yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString()
      parts = []
      size = 0
      from = end + 1
    }
    size += chunk.length - from
    if (size <= LONGEST_LINE) parts.push(chunk.subarray(from))
    else parts = []
  }
  if (parts.length > 0) yield Buffer.concat(parts).toString()
}

function messageOf(line: string): Record<string, unknown> | undefined {
  try {
    const message: unknown = JSON.parse(line)
    return isRecord(message) ? { ...message, jsonrpc: '2.0' } : undefined
  } catch {
    return undefined
  }
}
