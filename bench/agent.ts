import { patiently } from './patience.ts'
import type { Running } from './process.ts'

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

interface Answer {
  result?: { content?: { text: string }[]; isError?: boolean }
  error?: { message: string }
}

const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '0' },
}

/** An agent with a process of its own: JSON-RPC lines and nothing else, the same for the floor and for Parley. */
export function attachAgent({ child }: Running) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let unfinished = ''
  child.stdout.on('data', (chunk) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) hear(JSON.parse(line))
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The process ended before it answered'))
  })
  return { initialize, sendMessage }

  /** Until the answer is there. */
  function initialize() {
    return request('initialize', INITIALIZE)
  }

  async function sendMessage(text: string) {
    const { result, error } = await request('tools/call', { name: 'send_message', arguments: { text } })
    if (!result || result.isError) throw new Error(error?.message ?? result?.content?.[0]?.text)
  }

  function request(method: string, params: unknown): Promise<Answer> {
    const answer = new Promise<Answer>((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject })
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`)
    })
    return patiently(`the answer to ${method}`, answer)
  }

  function hear(answer: Answer & { id: number }) {
    waiting.get(answer.id)?.resolve(answer)
    waiting.delete(answer.id)
  }
}
