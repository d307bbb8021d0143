import type { Writable } from 'node:stream'
import { lineWriter, readLines } from '../io/lines.ts'
import type { ErrorCode } from '../protocol/errors.ts'
import { LONGEST_MESSAGE } from '../protocol/frames/link-limits.ts'
import { jsonIn } from '../protocol/text/json.ts'
import { isTooDeep } from '../protocol/text/nesting.ts'
import { type Rpc, refusal } from './rpc.ts'

/** Nothing more is read for somebody who has left so many bytes unread. */
export const MOST_UNREAD = 1024 * 1024

export interface ClientParts {
  input: NodeJS.ReadableStream
  output: Writable
  /** A message, as it was written and as what it means. */
  said(raw: string, message: Rpc): void
  /** The other program closed its end: the input is at its end, or the output is broken. */
  gone(): void
  /** Whether more waits to be read by the other program than should. */
  full(isFull: boolean): void
}

/** The program that started this one and speaks MCP with it, one JSON-RPC message a line. */
export function openClient({ input, output, said, gone, full }: ClientParts) {
  const writeLine = lineWriter(output)
  let unwritten = 0
  let emptied = () => {}
  readLines(input, { limitLength: LONGEST_MESSAGE, line: hear, tooLong })
  input.on('end', gone)
  input.on('close', gone)
  // Input that can no longer be read is at its end.
  input.on('error', gone)
  output.on('error', gone)
  output.on('drain', () => full(false))
  return { write, whenWritten, isFull, setPaused }

  function isFull(): boolean {
    return output.writableLength > MOST_UNREAD
  }

  /** Whether nothing is read of what the client says. */
  function setPaused(held: boolean) {
    if (held) input.pause()
    else input.resume()
  }

  function hear(line: string) {
    if (line.trim() === '') return
    const message = jsonIn(line) as Rpc | null | undefined
    if (message === undefined) return refuse('bad_json')
    if (typeof message !== 'object' || message === null || message.jsonrpc !== '2.0') return refuse('no_rpc')
    // No answer could be told to be the one to this.
    if (typeof message.id === 'object' && message.id !== null)
      return write(refusal(isTooDeep(message.id) ? null : message.id, 'no_rpc'))
    said(line, message)
  }

  function tooLong() {
    refuse('too_large')
    gone()
  }

  function refuse(code: ErrorCode) {
    write(refusal(null, code))
  }

  /** Tells when all of it was written, to a program that was still there. */
  function write(message: string, written?: () => void) {
    unwritten++
    writeLine(message, (error) => {
      unwritten--
      if (!error) written?.()
      if (unwritten === 0) emptied()
    })
    if (isFull()) full(true)
  }

  /** Runs when nothing is on its way to the client. */
  function whenWritten(act: () => void) {
    if (unwritten === 0) return act()
    const before = emptied
    emptied = () => {
      before()
      emptied = () => {}
      act()
    }
  }
}
