import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'

type Params = Record<string, unknown>
type Answer = (params: Params, signal: AbortSignal) => object | Promise<object>

interface PlainServer {
  name: string
  capabilities: object
  /** Answers by method. */
  answers: Record<string, Answer>
}

/**
 * An MCP server of the 2025 era over stdio, by hand: loading the SDK takes longer than most of what is asked of a server
 * whose own protocol is not what a test is about.
 */
export function servePlainly({ name, capabilities, answers }: PlainServer) {
  // It may be killed, and then the next one would have to compile everything again.
  flushCompileCache()
  const running = new Map<unknown, AbortController>()
  const all: Record<string, Answer> = { initialize, ping: () => ({}), ...answers }
  createInterface({ input: process.stdin }).on('line', (line) => void hear(JSON.parse(line)))
  return { notify: (method: string) => send({ method }) }

  async function hear({ id, method, params = {} }: { id?: unknown; method: string; params?: Params }) {
    if (method === 'notifications/cancelled') running.get(params.requestId)?.abort()
    if (id === undefined) return
    const answer = all[method]
    if (!answer) return send({ id, error: { code: -32601, message: 'Method not found' } })
    const cancelling = new AbortController()
    running.set(id, cancelling)
    const result = await answer(params, cancelling.signal)
    running.delete(id)
    if (!cancelling.signal.aborted) send({ id, result })
  }

  function initialize({ protocolVersion }: Params) {
    return { protocolVersion, capabilities, serverInfo: { name, version: '1' } }
  }
}

function send(message: object) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
