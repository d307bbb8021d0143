import { openAnsweringClient } from './bridge-client.ts'
import { connectAgent, type McpAgent } from './mcp-agent.ts'
import { serve } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const AGENTS = 16
const CALLS = 20
const ROUNDS = 7
const THINKING_MS = 50

/** Agents who ask at the same time, each in its own conversation, and one person who takes a moment for each answer. */
export async function askingAtOnce({ env, emptyData }: Workplace): Promise<Result[]> {
  const hub = serve(emptyData(), env())
  const url = await hub.url
  const agents: McpAgent[] = []
  for (let n = 0; n < AGENTS; n++) agents.push(await connectAgent(url, `agent-${n}`))
  const person = await openAnsweringClient(url, { waitForHistory: true, thinkingMs: THINKING_MS })
  const sources = { one: () => callsPerSecond(agents.slice(0, 1)), all: () => callsPerSecond(agents) }
  await interleave(1, sources)
  const rates = await interleave(ROUNDS, sources)
  person.close()
  await Promise.all(agents.map((agent) => agent.close()))
  await hub.stop()
  return [
    {
      measure: `${AGENTS} conversations asking, answers after ${THINKING_MS} ms; one`,
      unit: 'calls/s',
      baseline: median(rates.one),
      parley: median(rates.all),
      target: { atLeastTimes: 8 },
    },
  ]
}

async function callsPerSecond(agents: McpAgent[]): Promise<number> {
  const started = performance.now()
  await Promise.all(agents.map(askAgainAndAgain))
  return (agents.length * CALLS * 1000) / (performance.now() - started)
}

async function askAgainAndAgain(agent: McpAgent) {
  for (let call = 0; call < CALLS; call++) await agent.ask(textOf(call))
}
