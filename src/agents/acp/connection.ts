import { client, RequestError } from '@agentclientprotocol/sdk'
import { ParleyError } from '../../protocol/errors.ts'
import { VERSION } from '../../protocol/version.ts'
import type { AgentProcess } from '../process.ts'
import { beginningOf } from '../turns/beginnings.ts'
import { type Loose, record, records, text } from './loose.ts'
import { agentStream } from './stream.ts'

interface ConnectionParts {
  process: AgentProcess
  /** The command that started it, and what people call it. */
  command: string
  name: string
  heard(): void
  /** Something came that nobody takes, with the reason why. */
  tooMuch(problem: string): void
  /** Something to wait for before more is heard. */
  behind(): Promise<void> | undefined
  /** With the id of its session, where it names one. */
  update(update: Loose, session: string | undefined): void
  permission(params: Loose, signal: AbortSignal): Promise<Loose>
  elicitation(params: Loose, signal: AbortSignal): Promise<Loose>
}

export const LOGIN_NEEDED = -32000

// Nothing of files or terminals: agents use their own, and one that gets these cannot create files any more.
const CAPABILITIES = { session: { notices: {} }, elicitation: { form: {} } }

/** Exchanges messages with an agent, over the stdin and stdout of its process. */
export function connectAgent({
  process,
  command,
  name,
  heard,
  tooMuch,
  behind,
  update,
  permission,
  elicitation,
}: ConnectionParts) {
  const { stdin, stdout, said } = process
  const stream = agentStream({
    stdin,
    stdout,
    heard,
    behind,
    said,
    tooMuch,
    update: (params) => {
      const told = record(params)
      update(record(told.update), text(told.sessionId))
    },
  })
  const connection = client({ name: 'parley' })
    .onRequest('session/request_permission', record, ({ params, signal }) => permission(params, signal))
    .onRequest('elicitation/create', record, ({ params, signal }) => elicitation(params, signal))
    .connect(stream)
  let login: string | undefined
  // Processes that it left running may hold its stdout; and an agent that no longer speaks is of no use.
  void process.ended.then(() => connection.close())
  let isClosed = false
  void connection.closed.then(() => {
    isClosed = true
    return process.stop()
  })
  return { initialize, request, notify, sentenceOf, isClosed: () => isClosed }

  async function initialize(): Promise<Loose> {
    const about = await request('initialize', {
      protocolVersion: 1,
      clientCapabilities: CAPABILITIES,
      clientInfo: { name: 'parley', title: 'Parley', version: VERSION },
    })
    login = loginOf(records(about.authMethods))
    if (about.protocolVersion !== 1)
      throw new ParleyError('no_acp', { agent: name, reason: `it speaks version ${about.protocolVersion}, not 1` })
    return about
  }

  async function request(method: string, params: Loose): Promise<Loose> {
    return record(await connection.agent.request<unknown, Loose>(method, params))
  }

  /** Says nothing of an agent that is gone: its end is told elsewhere. */
  async function notify(method: string, params: Loose): Promise<void> {
    await connection.agent.notify(method, params).catch(() => {})
  }

  /** Why a request failed, as one sentence that says what to do where something can be done. */
  async function sentenceOf(error: unknown, knownLogin: string | undefined): Promise<ParleyError> {
    if (error instanceof ParleyError) return error
    if (!(error instanceof RequestError)) {
      const how = await process.ended
      return new ParleyError('agent_ended', { agent: name, how: withLastWords(how, process) })
    }
    if (error.code === LOGIN_NEEDED) {
      const run = login ?? (knownLogin ? `run ${knownLogin} in a terminal` : `sign in with its own program`)
      return new ParleyError('agent_login', { agent: name, how: run })
    }
    return new ParleyError('agent_failed', { agent: name, problem: problemIn(error) })
  }

  /** A login that the agent has for terminals is its own command with other arguments. */
  function loginOf(methods: Loose[]): string | undefined {
    const method = methods.find(({ type, args }) => type === 'terminal' && Array.isArray(args))
    return method && `run ${[command, ...(method.args as unknown[])].join(' ')} in a terminal`
  }
}

export type AgentLink = ReturnType<typeof connectAgent>

export function withLastWords(how: string, process: AgentProcess): string {
  const words = process.lastWords()
  return words ? `${how}: ${words}` : how
}

/** Agents put what matters in one of several places. */
function problemIn(error: RequestError): string {
  const data = record(error.data)
  const more = text(data.message) ?? text(data.details) ?? text(error.data)
  return beginningOf(more && !error.message.includes(more) ? `${error.message}: ${more}` : error.message)
}
