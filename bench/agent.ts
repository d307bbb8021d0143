import { createLineReader } from './lines.ts'
import { patiently } from './patience.ts'
import { type Running, start } from './process.ts'

export type Agent = Awaited<ReturnType<typeof startAgent>>

interface Waiting {
  resolve(answer: Answer): void
  reject(error: Error): void
}

interface Answer {
  result?: { content?: { text: string }[]; isError?: boolean }
  error?: { message: string }
}

export const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'bench', version: '0' },
}

/** A process that speaks MCP on stdio and a hub behind it, both ready. */
export async function startAgent(args: string[], env: NodeJS.ProcessEnv) {
  const running = start(args, env)
  const agent = speakAs(running)
  await agent.initialize()
  return { ...agent, running, url: await running.url }
}

/** An agent with a process of its own: JSON-RPC lines and nothing else, the same for the floor and for Parley. */
export function speakAs({ child }: Running) {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  child.stdout.on(
    'data',
    createLineReader((line) => hear(JSON.parse(line))),
  )
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('The process ended before it answered'))
  })
  return { initialize, sendMessage, call }

  /** Until the answer is there. */
  function initialize() {
    return request('initialize', INITIALIZE)
  }

  function sendMessage(text: string) {
    return call('send_message', { text })
  }

  async function call(name: string, input: object): Promise<void> {
    const { result, error } = await request('tools/call', { name, arguments: input })
    if (!result || result.isError) throw new Error(`${name} failed: ${error?.message ?? result?.content?.[0]?.text}`)
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
