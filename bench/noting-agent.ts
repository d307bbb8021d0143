/** The least that an ACP agent can be: it answers each prompt with the moment at which it came, in nanoseconds. */
import { createLineReader } from './lines.ts'

let sessions = 0

process.stdin.on(
  'data',
  createLineReader((line) => hear(JSON.parse(line))),
)
process.stdin.on('end', () => process.exit())

function hear({ id, method, params }: { id?: number; method?: string; params?: { sessionId?: string } }) {
  const came = process.hrtime.bigint()
  if (method === 'initialize') answer(id, { protocolVersion: 1, agentCapabilities: {}, authMethods: [] })
  if (method === 'session/new') answer(id, { sessionId: `session-${++sessions}` })
  if (method !== 'session/prompt') return
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${came}` } }
  say({ method: 'session/update', params: { sessionId: params?.sessionId, update } })
  answer(id, { stopReason: 'end_turn' })
}

function answer(id: number | undefined, result: object) {
  say({ id, result })
}

function say(message: object) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
