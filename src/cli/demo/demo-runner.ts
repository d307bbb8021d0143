import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SdkError, type Transport } from '@modelcontextprotocol/client'
import { acpDriver } from '../../agents/acp/driver.ts'
import { type Orchestrator, openOrchestrator } from '../../agents/orchestrator.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Config } from '../config.ts'
import { parleyServer } from '../run/parley-server.ts'

const NAME = 'Demo agent'
const MAX_SESSIONS = 5
const IDLE_MS = 15 * 60_000

/** Lets people begin conversations with the scripted agent. Without it, where the hub does not want it, the rest goes on. */
export async function offerDemo(
  { data, ownToken }: Pick<Config, 'data' | 'ownToken'>,
  connect: () => Transport,
): Promise<Orchestrator | undefined> {
  try {
    const orchestrator = await openOrchestrator({
      driver: acpDriver({ command: agentCommand(), name: NAME, environment: paceIn(process.env) }),
      folder: process.cwd(),
      name: NAME,
      maxSessions: MAX_SESSIONS,
      idleMs: IDLE_MS,
      delivery: 'next',
      state: data === 'memory' ? ':memory:' : join(data, 'runs', 'demo.db'),
      connect,
      hasToken: ownToken !== undefined,
      parley: async (conversation) =>
        parleyServer({ data, conversation, gateway: false, program: process.argv[1] ?? '' }),
      report: (error) => console.error(error instanceof Error ? error.message : error),
    })
    // Its modes can then be chosen from the beginning.
    await orchestrator.tryOut()
    return orchestrator
  } catch (error) {
    const why = whyNot(error)
    if (why === undefined) throw error
    if (why !== '') console.error(`Nobody can begin a conversation with the demo agent: ${why}`)
    return undefined
  }
}

/** Nothing for what must not happen; empty for what is told elsewhere. */
function whyNot(error: unknown): string | undefined {
  if (error instanceof ParleyError) {
    const isThere = error.code === 'runner_runs' || /^A runner .* is already there/.test(String(error.details.reason))
    return isThere ? 'another demo offers it already' : error.message
  }
  // No token, or no hub any more.
  return error instanceof SdkError || error instanceof TypeError ? '' : undefined
}

/** Agents get nothing of Parley's own unless they are given it. */
function paceIn({ PARLEY_DEMO_PACE }: NodeJS.ProcessEnv): Record<string, string> {
  return PARLEY_DEMO_PACE === undefined ? {} : { PARLEY_DEMO_PACE }
}

function agentCommand(): string {
  const file = import.meta.url.endsWith('.ts') ? './demo-agent.ts' : './demo-agent.js'
  return `"${process.execPath}" "${fileURLToPath(new URL(file, import.meta.url))}"`
}
