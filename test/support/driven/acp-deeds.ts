import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentContext, RequestError, type RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { MOUNTED } from './acp-mounted.ts'
import { ODD } from './acp-odd.ts'

/** What a deed of the scripted agent has to hand. */
export interface Stage {
  session: string
  client: AgentContext
  /** Aborts when the turn is cancelled. */
  stopped: AbortSignal
  /** What was said into the turn. */
  steered: string[]
  mcpServers: unknown[]
  tell(update: Record<string, unknown>): Promise<void>
  say(text: string, messageId?: string): Promise<void>
}

export type Deed = (stage: Stage, rest: string) => Promise<Record<string, unknown> | undefined>

const SHELL = {
  toolCallId: 'call-sh',
  title: 'touch file',
  name: 'Bash',
  kind: 'execute' as const,
  rawInput: { command: 'touch file' },
}
const OPTIONS = [
  { optionId: 'yes-1', name: 'Yes', kind: 'allow_once' as const },
  { optionId: 'yes-2', name: 'Yes, and never ask again', kind: 'allow_always' as const },
  { optionId: 'no-1', name: 'No, do something else', kind: 'reject_once' as const },
]

export const DEEDS: Record<string, Deed> = {
  ...ODD,
  ...MOUNTED,

  async say({ say }, rest) {
    for (const part of rest.match(/.{1,8}/g) ?? []) await say(part, 'message-1')
  },

  async think({ tell }, rest) {
    for (const text of rest.match(/.{1,8}/g) ?? [])
      await tell({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text }, messageId: 'thought-1' })
  },

  async plan({ tell }) {
    const entries = [
      { content: 'Look', status: 'completed', priority: 'high' },
      { content: 'Change', status: 'in_progress', priority: 'medium' },
      { content: 'Test', status: 'pending', priority: 'low' },
    ]
    await tell({ sessionUpdate: 'plan', entries })
  },

  async tool({ tell }) {
    const toolCallId = 'call-read'
    await tell({ sessionUpdate: 'tool_call', toolCallId, name: 'Read', title: 'Read', kind: 'read', rawInput: {} })
    const locations = [{ path: '/project/notes.txt', line: 3 }]
    const rawInput = { path: '/project/notes.txt' }
    await tell({ sessionUpdate: 'tool_call_update', toolCallId, title: 'Read notes.txt', rawInput, locations })
    await tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' })
    const content = [{ type: 'content', content: { type: 'text', text: '```\none\ntwo\n```' } }]
    await tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content })
  },

  async edit({ tell }) {
    const content = [{ type: 'diff', path: '/project/a.txt', oldText: 'beta', newText: 'BETA' }]
    const call = { toolCallId: 'call-edit', title: 'Edit a.txt', kind: 'edit', content, status: 'completed' }
    await tell({ sessionUpdate: 'tool_call', ...call })
  },

  async terminal({ tell }) {
    const toolCallId = 'call-terminal'
    const content = [{ type: 'terminal', terminalId: toolCallId }]
    await tell({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: 'count',
      kind: 'execute',
      content,
      status: 'in_progress',
    })
    for (const data of ['line 2\n', 'line 3\n']) {
      const _meta = { terminal_output_delta: { data, terminal_id: toolCallId } }
      await tell({ sessionUpdate: 'tool_call_update', toolCallId, _meta })
    }
    const rawOutput = { formatted_output: 'line 1\nline 2\nline 3\n', exit_code: 0 }
    await tell({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', rawOutput })
  },

  async permission({ client, session, say, tell }) {
    await tell({ sessionUpdate: 'tool_call', ...SHELL, status: 'pending' })
    const asked = { sessionId: session, toolCall: SHELL, options: OPTIONS }
    const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', asked)
    const taken = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome
    const status = taken.startsWith('yes') ? 'completed' : 'failed'
    await tell({ sessionUpdate: 'tool_call_update', toolCallId: SHELL.toolCallId, status })
    await say(`taken: ${taken}`)
  },

  /** Of which nobody is told what it does. */
  async unsaid({ client, session, say }) {
    const toolCall = { toolCallId: 'call-unsaid', title: 'Something', kind: 'execute' as const }
    const asked = { sessionId: session, toolCall, options: OPTIONS }
    const { outcome } = await client.request<RequestPermissionResponse>('session/request_permission', asked)
    await say(`taken: ${outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome}`)
  },

  async ask({ client, session, say }) {
    const color = { type: 'string' as const, title: 'Which colour?', oneOf: ['red', 'blue'].map(titled) }
    const sizes = { type: 'array' as const, title: 'Sizes', items: { type: 'string' as const, enum: ['S', 'M', 'L'] } }
    const properties = {
      color,
      color_other: { type: 'string' as const },
      sizes,
      count: { type: 'integer' as const, title: 'How many?' },
      gift: { type: 'boolean' as const, title: 'A gift?' },
    }
    const requestedSchema = { type: 'object' as const, properties, required: ['color', 'sizes', 'count', 'gift'] }
    const form = { sessionId: session, mode: 'form' as const, message: 'About the shirt', requestedSchema }
    await say(JSON.stringify(await client.request('elicitation/create', form)))
  },

  async slow({ say, stopped }, rest) {
    for (let word = 1; word <= Number(rest || 200) && !stopped.aborted; word++) {
      await say(`word ${word} `)
      await pause(20)
    }
  },

  /** So many updates as fast as they are taken: mostly plans, now and then a text or a call, until it is stopped. */
  async flood({ session: sessionId, stopped }, rest) {
    for (let n = 0; n < Number(rest) && !stopped.aborted; n++) {
      const line = { jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: flooding(n) } }
      if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
      // It hears that it is stopped.
      if (n % 1000 === 0) await pause(0)
    }
  },

  async silent({ stopped }) {
    await until(stopped)
  },

  /** Asks once more when it is told to stop, and waits for the answer. */
  async insist({ stopped, client, session, say }) {
    await say('go on?')
    await until(stopped)
    await client.request('session/request_permission', { sessionId: session, toolCall: SHELL, options: OPTIONS })
  },

  async quiet(_, rest) {
    await pause(Number(rest))
  },

  /** Hears nothing any more, whatever it is told. */
  async stuck({ say }) {
    await say('I do not stop.')
    await pause(600_000)
  },

  async crash({ say }) {
    await say('I am about to')
    console.error('\u001b[31mout of memory\u001b[0m')
    await pause(20)
    process.exit(3)
  },

  async die({ say }) {
    await say('I am about to')
    process.kill(process.pid, 'SIGKILL')
  },

  async empty() {},

  async refuse() {
    return { stopReason: 'refusal' }
  },

  async limit() {
    return { stopReason: 'max_tokens' }
  },

  async fail() {
    throw new RequestError(-32603, 'Internal error', { message: 'the model said 429' })
  },

  async login() {
    throw RequestError.authRequired()
  },

  async usage({ tell, say }) {
    await say('spent')
    await tell({ sessionUpdate: 'usage_update', used: 1234, size: 200_000, cost: { amount: 0.25, currency: 'USD' } })
    return { usage: { inputTokens: 1200, outputTokens: 34, cachedReadTokens: 100, totalTokens: 1334 } }
  },

  async title({ tell }, rest) {
    await tell({ sessionUpdate: 'session_info_update', title: rest })
  },

  async mode({ tell }, rest) {
    await tell({ sessionUpdate: 'current_mode_update', currentModeId: rest })
  },

  async notice({ tell }, rest) {
    await tell({ sessionUpdate: 'notice', severity: 'warning', title: rest, description: 'for a while' })
  },

  /** Starts what outlives it, were it not ended: in a session of its own, and once without a parent. */
  async spawn({ say }) {
    const own = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    const shell = spawn('sh', ['-c', 'sleep 600 >/dev/null 2>&1 & echo $!'], { detached: true })
    const [orphan] = await Promise.all([text(shell.stdout), new Promise((resolve) => shell.on('close', resolve))])
    await say(JSON.stringify([own.pid, Number(orphan)]))
  },

  async environment({ say }, rest) {
    await say(String(process.env[rest]))
  },

  async pid({ say }) {
    await say(String(process.pid))
  },

  /** Starts its server, and says what that says. */
  async serve({ say, mcpServers }) {
    const [{ command, args, env }] = mcpServers as [
      { command: string; args: string[]; env: Record<'name' | 'value', string>[] },
    ]
    const more = Object.fromEntries(env.map(({ name, value }) => [name, value]))
    const child = spawn(command, args, { env: { ...process.env, ...more } })
    const [told] = (await once(child.stdout, 'data')) as [Buffer]
    await say(JSON.stringify([child.pid, Number(told)]))
  },

  async servers({ say, mcpServers }) {
    await say(JSON.stringify(mcpServers))
  },

  /** Requests that nobody offered. */
  async write({ client, session, say }) {
    const file = { sessionId: session, path: '/project/a.txt', content: 'x' }
    const codes = [
      client.request('fs/write_text_file', file).catch((error: RequestError) => error.code),
      client.request('craft/drainMidTurnQueue', {}).catch((error: RequestError) => error.code),
    ]
    await say(JSON.stringify(await Promise.all(codes)))
  },

  async steered({ say, steered, stopped }) {
    while (steered.length === 0 && !stopped.aborted) await pause(10)
    await say(`steered: ${steered.join()}`)
  },

  /** A title that comes so many milliseconds later, whatever the agent does then. */
  async later({ tell }, rest) {
    setTimeout(() => void tell({ sessionUpdate: 'session_info_update', title: 'Later' }), Number(rest))
  },
}

function titled(value: string) {
  return { const: value, title: value.toUpperCase() }
}

function until(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve())))
}

async function text(stream: AsyncIterable<unknown>): Promise<string> {
  let all = ''
  for await (const part of stream) all += part
  return all
}

/** Of a thousand, one begins a call and one ends it, and a hundred are one text. */
function flooding(n: number): Record<string, unknown> {
  const place = n % 1000
  const toolCallId = `flood-${(n - place) / 1000}`
  if (place === 0) return { sessionUpdate: 'tool_call', toolCallId, title: 'flood', status: 'in_progress' }
  if (place === 999) return { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' }
  if (place >= 500 && place < 600)
    return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${n} ` } }
  const entries = [{ content: `Step ${n}`, status: 'in_progress', priority: 'high' }]
  return { sessionUpdate: 'plan', entries }
}
