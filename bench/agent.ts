import { createLineReader } from './lines.ts'
import { patiently } from './patience.ts'
import { PARLEY, type Running, start } from './process.ts'

export type Agent = Awaited<ReturnType<typeof agentOf>>

interface LineOptions {
  nodeFlags?: string[]
  /** Arguments after `parley stdio`. */
  words?: string[]
  /** Another than the one that is measured. */
  program?: string
}

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

/** Starts a line as an agent's client does, to the hub of a data folder, which may have to be started too. */
export function startLine(
  env: NodeJS.ProcessEnv,
  { nodeFlags = [], words = [], program = PARLEY }: LineOptions = {},
): Running {
  return start([...nodeFlags, program, 'stdio', ...words], env)
}

/** An agent behind a line that found its hub or started it, all three ready. */
export function openAgent(env: NodeJS.ProcessEnv, options?: LineOptions) {
  return agentOf(startLine(env, options))
}

/** The same of any process that speaks MCP on stdio. */
export async function agentOf(running: Running) {
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
  return { initialize, listTools, sendMessage, call }

  /** Resolves when the answer is there. */
  function initialize() {
    return request('initialize', INITIALIZE)
  }

  function listTools() {
    return request('tools/list', {})
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
