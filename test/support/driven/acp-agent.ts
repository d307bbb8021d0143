/**
 * A scripted ACP agent, on the agent side of the SDK: `node test/support/driven/acp-agent.ts`. A line `do NAME …` of a prompt is
 * one of its deeds (see acp-deeds.ts), done in order; a prompt without any is answered with its own words. What it is
 * like says ACP_AGENT as JSON (see `Nature`). In ACP_AGENT_FOLDER, or else where it was started, it keeps its sessions,
 * and writes every prompt that it saw to `prompts.jsonl`, every request that began something to `begun.jsonl`, and the
 * id of its process to `lives.jsonl`.
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'
import { DEEDS, type Stage } from './acp-deeds.ts'

interface Nature {
  /** The name that it gives itself, to be taken for one that is known. */
  name?: string
  load?: boolean
  resume?: boolean
  /** It lists its sessions, so many a page; and forks them. */
  lists?: number
  forks?: boolean | 'silently'
  /** Loads what it never had, and says nothing of it. */
  forgets?: boolean
  http?: boolean
  steering?: boolean
  image?: boolean
  /** How it tells its modes and models. */
  tells?: 'modes' | 'options' | 'nothing'
  modes?: string[]
  mode?: string
  /** It has so many models and commands besides, each with a long description. */
  many?: number
  /** The moment when it says that it wants a login. */
  login?: 'new' | 'prompt'
  terminalLogin?: boolean
  /** Its first process dies of the prompt behind so many others, before it is kept or as soon as it is. */
  dies?: { behind: number; kept: boolean }
  /** What it answers to be cancelled with. */
  cancelled?: 'cancelled' | 'end_turn'
  version?: number
}

// It may be killed, and then the next one would have to compile everything again.
flushCompileCache()

const LONG = 'long '.repeat(180)
const nature: Nature = JSON.parse(process.env.ACP_AGENT ?? '{}')
const { tells = 'modes', modes = ['default', 'plan', 'yolo'], cancelled = 'cancelled', load = true } = nature
const folder = process.env.ACP_AGENT_FOLDER ?? process.cwd()
let mode = nature.mode ?? 'default'
let model = 'small'
let mcpServers: unknown[] = []
const turns = new Map<string, { stop: AbortController; steered: string[] }>()

const connection = agent({ name: 'scripted' })
  .onRequest('initialize', ({ params }) => {
    keep('lives', { pid: process.pid })
    keep('begun', { method: 'initialize', ...params })
    return {
      protocolVersion: nature.version ?? 1,
      agentInfo: { name: nature.name ?? 'scripted', title: 'Scripted', version: '1.0.0' },
      agentCapabilities: {
        loadSession: load,
        promptCapabilities: { image: nature.image ?? true },
        mcpCapabilities: { http: nature.http ?? false, sse: false },
        sessionCapabilities: {
          ...(nature.resume && { resume: {} }),
          ...(nature.lists && { list: {} }),
          ...(nature.forks && { fork: {} }),
        },
      },
      authMethods: nature.terminalLogin
        ? [{ type: 'terminal' as const, id: 'login', name: 'Sign in', args: ['--login'] }]
        : [],
      ...(nature.steering && { _meta: { steering: { supported: true } } }),
    }
  })
  .onRequest('session/new', ({ params }) => {
    if (nature.login === 'new') throw RequestError.authRequired()
    const sessionId = randomUUID()
    begin('session/new', params)
    keep('sessions', { sessionId, cwd: params.cwd, updatedAt: new Date().toISOString() })
    setTimeout(() => void tell(sessionId, commands()))
    return { sessionId, ...controls() }
  })
  .onRequest('session/load', async ({ params }) => {
    begin('session/load', params)
    if (nature.forgets) return controls()
    if (!existsSync(join(folder, `session-${params.sessionId}.jsonl`)))
      throw RequestError.sessionNotFound(params.sessionId)
    for (const update of linesOf(`session-${params.sessionId}`)) await tell(params.sessionId, update)
    return controls()
  })
  .onRequest('session/resume', ({ params }) => {
    begin('session/resume', params)
    if (!existsSync(join(folder, `session-${params.sessionId}.jsonl`)))
      throw RequestError.sessionNotFound(params.sessionId)
    return controls()
  })
  .onRequest('session/list', ({ params: { cursor } }) => {
    const [from, all] = [Number(cursor ?? 0), linesOf('sessions')]
    const next = from + (nature.lists ?? 0)
    const sessions = all.slice(from, next).map((one) => ({ title: ` Session\n${one.sessionId} `, ...one }))
    return { sessions: sessions as never, nextCursor: next < all.length ? `${next}` : null }
  })
  .onRequest('session/fork', loosely, async ({ params }) => {
    begin('session/fork', params as { mcpServers?: unknown[] })
    const sessionId = randomUUID()
    for (const update of linesOf(`session-${params.sessionId}`)) {
      keep(`session-${sessionId}`, update)
      // Some of the real ones repeat it all.
      if (nature.forks !== 'silently') await tell(sessionId, update)
    }
    return { sessionId, ...controls() }
  })
  .onRequest('session/set_mode', ({ params }) => {
    keep('begun', { method: 'session/set_mode', ...params })
    mode = params.modeId
    return {}
  })
  .onRequest('session/set_config_option', ({ params }) => {
    keep('begun', { method: 'session/set_config_option', ...params })
    if (params.configId === 'mode') mode = String(params.value)
    else model = String(params.value)
    return { configOptions: options() }
  })
  .onRequest('session/set_model', loosely, ({ params }) => {
    keep('begun', { method: 'session/set_model', ...params })
    model = String(params.modelId)
    return {}
  })
  .onRequest('_session/steering', loosely, ({ params }) => {
    const turn = turns.get(String(params.sessionId))
    const words = textOf(params.prompt as { text?: string }[])
    if (!turn || words === 'not now') return { outcome: 'promptRequired' }
    keep('prompts', { session: params.sessionId, text: words, steered: true })
    turn.steered.push(words)
    return { outcome: 'injected' }
  })
  .onNotification('session/cancel', ({ params }) => {
    keep('begun', { method: 'session/cancel' })
    turns.get(params.sessionId)?.stop.abort()
  })
  .onRequest('session/prompt', async ({ params: { sessionId, prompt } }) => {
    const words = textOf(prompt)
    const isLast = nature.dies && linesOf('lives').length === 1 && linesOf('prompts').length === nature.dies.behind
    if (isLast && !nature.dies?.kept) process.kill(process.pid, 'SIGKILL')
    keep('prompts', { session: sessionId, text: words, kinds: prompt.map(({ type }) => type) })
    if (nature.login === 'prompt') throw RequestError.authRequired()
    if (turns.has(sessionId)) throw RequestError.internalError({ details: 'A prompt is being answered' })
    const turn = { stop: new AbortController(), steered: [] as string[] }
    turns.set(sessionId, turn)
    await remember(sessionId, 'user_message_chunk', words)
    if (isLast) process.kill(process.pid, 'SIGKILL')
    try {
      return await play(sessionId, words, turn)
    } finally {
      turns.delete(sessionId)
    }
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>))

void connection.closed.then(() => process.exit(0))

async function play(session: string, words: string, turn: { stop: AbortController; steered: string[] }) {
  const stage: Stage = {
    session,
    client: connection.client,
    stopped: turn.stop.signal,
    steered: turn.steered,
    mcpServers,
    tell: (update) => tell(session, update),
    say: async (text, messageId) => {
      await tell(session, { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId })
      await remember(session, 'agent_message_chunk', text)
    },
  }
  const deeds = words.split('\n').filter((line) => line.startsWith('do '))
  if (deeds.length === 0) for (const part of `You said: ${words}`.match(/[\s\S]{1,12}/g) ?? []) await stage.say(part)
  let result: Record<string, unknown> = { stopReason: 'end_turn' }
  for (const line of deeds) {
    const [, name = '', rest = ''] = /^do (\S+) ?(.*)$/.exec(line) ?? []
    const deed = DEEDS[name]
    if (!deed) await stage.say(`I cannot do ${name}.`)
    else result = { ...result, ...(await deed(stage, rest)) }
    if (turn.stop.signal.aborted) return { stopReason: cancelled }
  }
  return result as { stopReason: 'end_turn' }
}

function controls() {
  if (tells === 'nothing') return {}
  if (tells === 'options') return { configOptions: options() }
  const few = ['small', 'large'].map((modelId) => ({ modelId, name: modelId.toUpperCase() }))
  const availableModels = [
    ...few,
    ...many((n) => ({ modelId: `maker/model-${n}`, name: `Model ${n}`, description: LONG })),
  ]
  return {
    modes: { currentModeId: mode, availableModes: modes.map((id) => ({ id, name: id })) },
    models: { currentModelId: model, availableModels },
  }
}

function options() {
  const group = { group: 'all', name: 'All', options: ['small', 'large'].map((value) => ({ value, name: value })) }
  const select = { type: 'select' as const }
  return [
    { ...select, id: 'mode', name: 'Mode', category: 'mode', currentValue: mode, options: modes.map(asOption) },
    { ...select, id: 'model', name: 'Model', category: 'model', currentValue: model, options: [group] },
  ]
}

function asOption(value: string) {
  return { value, name: value }
}

function many<One>(make: (n: number) => One): One[] {
  return Array.from({ length: nature.many ?? 0 }, (_, n) => make(n))
}

function commands() {
  const few = [{ name: 'review', description: 'Looks at what changed', input: null }, { name: 'init' }]
  const availableCommands = [
    ...few,
    ...many((n) => ({ name: `command-${n}-${'of-many'.repeat(5)}`, description: LONG })),
  ]
  return { sessionUpdate: 'available_commands_update', availableCommands }
}

function begin(method: string, params: { mcpServers?: unknown[] }) {
  mcpServers = params.mcpServers ?? []
  keep('begun', { method, ...params })
}

async function remember(session: string, sessionUpdate: string, text: string) {
  keep(`session-${session}`, { sessionUpdate, content: { type: 'text', text } })
}

function tell(sessionId: string, update: Record<string, unknown>) {
  return connection.client.notify<unknown>('session/update', { sessionId, update })
}

function keep(name: string, line: Record<string, unknown>) {
  appendFileSync(join(folder, `${name}.jsonl`), `${JSON.stringify(line)}\n`)
}

function linesOf(name: string): Record<string, unknown>[] {
  const path = join(folder, `${name}.jsonl`)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}

function loosely(params: unknown) {
  return params as Record<string, unknown>
}

function textOf(prompt: { type?: string; text?: string }[]): string {
  return prompt.flatMap(({ text }) => text ?? []).join('\n')
}
