import type { Readable, Writable } from 'node:stream'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { linesInBytes } from '../../io/lines.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { isTooDeep, TOO_DEEP } from '../../protocol/text/nesting.ts'
import { isRecord } from '../../protocol/text/record.ts'

const LONGEST_LINE = 32 * 1024 * 1024
const TOO_LONG = `what it sent is longer than ${LONGEST_LINE / 1024 / 1024} MiB`
const INVALID = -32600
const LINE_END = Buffer.from('\n')

interface StreamParts {
  stdin: Writable
  stdout: Readable
  /** Called for everything that comes, before it is looked at. */
  heard(): void
  /** Something to wait for before the next one is looked at. */
  behind(): Promise<void> | undefined
  /** A message that nobody takes, with the reason why: whoever waits for its answer has one. */
  tooMuch(problem: string): void
  /** A line that is no message. */
  said(line: string): void
  /** Updates come here, in their order and before any answer that follows them; the connection never sees them. */
  update(params: unknown): void
}

/**
 * Messages over the stdio of an agent. Not the SDK's own reading of lines: that answers each one that is no JSON with an
 * error, ends at a line that is too long, and refuses updates that are not of its schema.
 */
export function agentStream({ stdin, stdout, heard, behind, said, tooMuch, update }: StreamParts): Stream {
  const readable = new ReadableStream<AnyMessage>({
    async start(controller) {
      const whole: string[] = []
      const lines = linesInBytes({ most: LONGEST_LINE, line: (line) => whole.push(line), tooLong })
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

      function tooLong(ends: string) {
        heard()
        refuse(beginningIn(ends), TOO_LONG)
      }

      /** Its sender hears of it where it asks for something, and we ourselves where it is an answer to us. */
      function refuse({ id, method, result, error }: Record<string, unknown>, problem: string) {
        tooMuch(problem)
        const answer = { jsonrpc: '2.0' as const, id: id as number, error: { code: INVALID, message: problem } }
        if (id === undefined || id === null) return
        if (method !== undefined) stdin.write(`${JSON.stringify(answer)}\n`)
        else if (result !== undefined || error !== undefined) controller.enqueue(answer)
      }

      function take(line: string) {
        heard()
        const message = messageOf(line)
        if (!message) said(line)
        else if (isTooDeep(message)) refuse(message, TOO_DEEP)
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

/** What comes before anything that is nested tells what it is. */
function beginningIn(line: string): Record<string, unknown> {
  const before = /^\s*\{([^{[]*)/.exec(line)?.[1] ?? ''
  const id = /"id"\s*:\s*(-?\d+|"[^"\\]*")/.exec(before)?.[1]
  const [, kind] = /"(method|result|error)"\s*:/.exec(before) ?? []
  return { ...(id !== undefined && { id: JSON.parse(id) }), ...(kind !== undefined && { [kind]: true }) }
}
