import { PassThrough } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { readLines } from '../../io/lines.ts'
import { readAsked, type Surroundings } from '../../line/asked.ts'
import { openLine } from '../../line/line.ts'

/** The hub is trusted: this only keeps a broken one from filling the memory. */
const LONGEST_MESSAGE = 256 * 1024 * 1024

interface LineTransportParts extends Surroundings {
  tell(sentence: string): void
}

/**
 * A line of this process's own to the hub of a folder: it finds or starts the hub as `parley stdio` does, goes on with
 * the next one when it ends, and repeats what has no answer.
 */
export function lineTransport({ tell, ...asked }: LineTransportParts): Transport {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport: Transport = {
    async start() {
      readLines(output, { limitLength: LONGEST_MESSAGE, line: hear, tooLong: () => void transport.close() })
      openLine({
        ...readAsked(asked),
        input,
        output,
        patience: { tickMs: 1000, ticks: 10 },
        tell,
        exit: () => transport.onclose?.(),
      })
    },
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`)
    },
    async close() {
      input.end()
    },
  }
  return transport

  function hear(line: string) {
    transport.onmessage?.(JSON.parse(line) as JSONRPCMessage)
  }
}
