import { setTimeout as pause } from 'node:timers/promises'
import {
  Client,
  ProtocolError,
  SdkError,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { closeOnSignals } from '../ops/signals.ts'
import type { Orchestrator } from '../orchestrator/orchestrator.ts'
import { ParleyError } from '../protocol/errors.ts'
import { DEFAULT_PORT } from '../protocol/settings.ts'
import { usage } from '../protocol/usage.ts'
import { VERSION } from '../protocol/version.ts'
import { atDemoPace } from './demo-pace.ts'
import { PLAY, type Scene } from './demo-play.ts'
import type { Typed } from './program.ts'
import { runningHub } from './running-hub.ts'
import { serve } from './serve.ts'

// The person may take days; a timer cannot wait longer than this.
const LONGEST_WAIT_MS = 2 ** 31 - 1
const RETRY_MS = 1000

/**
 * A scripted agent that reaches the hub as real ones do, so that a newcomer has somebody to talk to, and another one with
 * which people begin conversations themselves.
 */
export async function demo(line: Typed) {
  const { port = DEFAULT_PORT, data, ownToken } = line.config
  let driven: Promise<Orchestrator | undefined> | undefined
  const close = async () => (await driven)?.close()
  const running = (await hubAt(`http://localhost:${port}`)) ?? (await runningHub(data))
  if (running) closeOnSignals(close)
  const { url } = running ?? (await serve(line, close))
  console.error(`The demo agent is waiting for you: open ${url}`)
  driven = import('./demo-runner.ts').then(({ offerDemo }) => offerDemo(url, line.config))
  for (;;) {
    try {
      await play(url, ownToken)
    } catch (error) {
      if (error instanceof SdkHttpError && error.status === 401)
        throw usage('The hub asks for a token; give the demo agent one in PARLEY_TOKEN')
      if (!isLoss(error)) throw error
      console.error(`The demo agent lost the hub and tries again: ${error.message}`)
      await pause(RETRY_MS)
    }
  }
}

/** The hub said no, said what is no answer, or was not there. */
function isLoss(error: unknown): error is Error {
  return [ParleyError, SdkError, ProtocolError, TypeError].some((kind) => error instanceof kind)
}

async function hubAt(url: string): Promise<{ url: string } | undefined> {
  try {
    const health = (await (await fetch(`${url}/healthz`)).json()) as { name?: string }
    return health.name === 'parley' ? { url } : undefined
  } catch (error) {
    // Nobody there, or somebody who speaks no JSON: not a hub either way.
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error
    return undefined
  }
}

async function play(url: string, token: string | undefined) {
  const client = new Client({ name: 'demo-agent', version: VERSION }, { versionNegotiation: { mode: 'auto' } })
  const requestInit = token === undefined ? undefined : { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/agent?session=demo`), { requestInit }))
  try {
    let reply = ''
    for (;;)
      for (const { tool, say, work_ms } of PLAY) {
        reply = (await call(client, tool, say(reply))) ?? reply
        await atDemoPace(work_ms)
      }
  } finally {
    await client.close()
  }
}

/** What the person said, if they were asked. */
async function call(client: Client, tool: Scene['tool'], input: Record<string, unknown>): Promise<string | undefined> {
  const result = await client.callTool(
    { name: tool, arguments: input },
    { timeout: LONGEST_WAIT_MS, onprogress() {}, resetTimeoutOnProgress: true },
  )
  const [block] = result.content as { text: string }[]
  if (result.isError) throw new ParleyError('refused_by_hub', { reason: block?.text ?? '' })
  const answer = JSON.parse(block?.text ?? '{}') as Answer
  // As every agent is told to: nobody replied yet, so wait for the same question again.
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
