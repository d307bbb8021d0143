import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { ERRORS, type ErrorCode } from '../protocol/errors.ts'

export interface StdioStreams {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** A longer line ends the connection, because what follows it could be anything. */
  limitLength: number
}

/**
 * MCP on stdio: one JSON-RPC message a line. The SDK's own transport checks each message against its schemas, which
 * its server then does again; this one looks only at what makes a line a message, and answers what is none.
 */
export function createStdioTransport({ input, output, limitLength }: StdioStreams): Transport {
  let unfinished = ''
  let closed = false
  const transport: Transport = { start, send, close }
  return transport

  async function start() {
    input.setEncoding('utf8')
    input.on('data', hear)
    input.on('end', close)
    input.on('close', close)
    // A broken pipe is an agent that is gone.
    output.on('error', close)
  }

  function hear(chunk: string | Buffer) {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') receive(line)
    if (unfinished.length > limitLength) {
      refuse('too_large', `more than ${limitLength} characters without a line break`)
      void close()
    }
  }

  function receive(line: string) {
    let message: JSONRPCMessage
    try {
      message = JSON.parse(line)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return refuse('bad_json', line)
    }
    if (typeof message !== 'object' || message === null || message.jsonrpc !== '2.0') return refuse('no_rpc', line)
    transport.onmessage?.(message)
  }

  function refuse(code: ErrorCode, line: string) {
    const { text, rpc } = ERRORS[code]
    output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: rpc, message: text } })}\n`)
    transport.onerror?.(new Error(text, { cause: line.slice(0, 80) }))
  }

  /** Resolves when all of the line was written, to a program that was still there. */
  function send(message: JSONRPCMessage): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const gone = () => reject(new Error('The program that speaks MCP on stdio is gone'))
    if (closed) gone()
    else output.write(`${JSON.stringify(message)}\n`, (error) => (error || closed ? gone() : resolve()))
    return promise
  }

  async function close() {
    if (closed) return
    closed = true
    input.off('data', hear)
    input.pause()
    transport.onclose?.()
  }
}
