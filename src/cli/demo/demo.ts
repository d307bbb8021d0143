import { setTimeout as pause } from 'node:timers/promises'
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { isLost } from '../../agents/lost-connection.ts'
import type { Orchestrator } from '../../agents/orchestrator.ts'
import { closeOnSignals } from '../../ops/signals.ts'
import { DEMO } from '../../protocol/demo.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { usage } from '../../protocol/usage.ts'
import { VERSION } from '../../protocol/version.ts'
import type { Config } from '../config.ts'
import { showPage } from '../hub/open.ts'
import { runningHub } from '../hub/running-hub.ts'
import { serve } from '../hub/serve.ts'
import type { Typed } from '../program.ts'
import { ownLine } from '../run/own-line.ts'
import { atDemoPace } from './demo-pace.ts'
import { PLAY, type Scene } from './demo-play.ts'

// The person may take days; a timer cannot wait longer than this.
const LONGEST_WAIT_MS = 2 ** 31 - 1
const RETRY_MS = 1000

/**
 * A scripted agent that reaches the hub as real ones do, so that a newcomer has somebody to talk to, and another one with
 * which people begin conversations themselves.
 */
export async function demo(line: Typed) {
  const { config } = line
  let driven: Promise<Orchestrator | undefined> | undefined
  let client: Client | undefined
  let closing = false
  /** The last words of a line: when it ends, they say why. */
  let told = ''
  const running = await runningHub(config.data)
  if (running) closeOnSignals(close)
  const { url } = running ?? (await serve(line, close))
  // A hub that keeps nothing has no place for a page that signs in.
  if (config.data !== 'memory') await showPage(url, config)
  const reach =
    config.data === 'memory' ? inThisProcess(url, config) : throughFolder(config, (sentence) => (told = sentence))
  driven = import('./demo-runner.ts').then(({ offerDemo }) => offerDemo(config, () => reach('orchestrator')))
  const begun = Promise.withResolvers<void>()
  // The last line of the start, so that nobody has to look for it.
  void Promise.all([driven, begun.promise]).then(() => {
    if (!closing) console.error(`The demo agent is waiting for you: open ${url}`)
  })
  while (!closing) {
    client = new Client({ name: 'demo-agent', version: VERSION }, { versionNegotiation: { mode: 'auto' } })
    try {
      await play(client, reach('agent'), begun.resolve)
    } catch (error) {
      if (closing) return
      if (isClosed(error) && told !== '') throw new ParleyError('refused_by_hub', { reason: told })
      if (error instanceof SdkHttpError && error.status === 401)
        throw usage('The hub asks for a token; give the demo agent one in PARLEY_TOKEN')
      if (!isLoss(error)) throw error
      console.error(`The demo agent lost the hub and tries again: ${error.message}`)
      await pause(RETRY_MS)
    }
  }

  /** The demo closes before its hub, which its lines would otherwise start again. */
  async function close() {
    closing = true
    await client?.close()
    await (await driven)?.close()
  }
}

type Reach = (surface: 'agent' | 'orchestrator') => Transport

function throughFolder(config: Config, tell: (sentence: string) => void): Reach {
  return (surface) =>
    surface === 'agent' ? ownLine(config, { surface, session: DEMO, tell }) : ownLine(config, { surface })
}

/** A hub that keeps nothing has no folder, and is this very process: nobody else can have its port meanwhile. */
function inThisProcess(url: string, { ownToken }: Config): Reach {
  const requestInit = ownToken === undefined ? undefined : { headers: { authorization: `Bearer ${ownToken}` } }
  const path = { agent: `/mcp/agent?session=${DEMO}`, orchestrator: '/mcp/orchestrator' }
  return (surface) => new StreamableHTTPClientTransport(new URL(path[surface], url), { requestInit })
}

function isClosed(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed
}

/** The hub said no, said what is no answer, or was not there. A fault of the demo is none of these. */
function isLoss(error: unknown): error is Error {
  return isLost(error) || error instanceof ParleyError || error instanceof ProtocolError || error instanceof SdkError
}

async function play(client: Client, transport: Transport, begun: () => void) {
  await client.connect(transport)
  try {
    let reply = ''
    for (;;)
      for (const { tool, say, work_ms } of PLAY) {
        reply = (await call(client, tool, say(reply))) ?? reply
        begun()
        await atDemoPace(work_ms)
      }
  } finally {
    await client.close()
  }
}

/** The person's reply, if they were asked. */
async function call(client: Client, tool: Scene['tool'], input: Record<string, unknown>): Promise<string | undefined> {
  const result = await client.callTool(
    { name: tool, arguments: input },
    { timeout: LONGEST_WAIT_MS, onprogress() {}, resetTimeoutOnProgress: true },
  )
  const [block] = result.content as { text: string }[]
  if (result.isError) throw new ParleyError('refused_by_hub', { reason: block?.text ?? '' })
  const answer = JSON.parse(block?.text ?? '{}') as Answer
  // Agents are told to do this: nobody replied yet, so wait for the same question again.
  if (answer.status === 'pending') return call(client, tool, waitAgain(tool, input, answer.question_id))
  return answer.reply ?? answer.answer ?? answer.message ?? (answer.behavior === 'allow' ? 'Allow' : undefined)
}

interface Answer {
  status?: 'pending' | 'interrupted'
  question_id?: string
  reply?: string
  answer?: string
  /** Why not, or what the person wants instead. */
  message?: string
  behavior?: 'allow' | 'deny'
}

function waitAgain(tool: Scene['tool'], input: Record<string, unknown>, question_id: string | undefined) {
  return tool === 'ask_user' ? { question_id } : { ...input, question_id }
}
