import { openAnsweringClient } from './bridge-client.ts'
import { inFlight } from './in-flight.ts'
import { connectAgent, type McpAgent } from './mcp-agent.ts'
import { serve } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { most: 16, calls: 20, warmUp: 1, rounds: 7, thinkingMs: 50 },
  smallest: { most: 2, calls: 1, warmUp: 0, rounds: 1, thinkingMs: 1 },
}

/** Agents who ask at the same time, each in its own conversation, and one person who takes a moment for each answer. */
export async function askingAtOnce({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { most, calls, warmUp, rounds, thinkingMs } = SIZES[size]
  const hub = serve(emptyData(), env())
  const url = await hub.url
  const agents: McpAgent[] = []
  for (let n = 0; n < most; n++) agents.push(await connectAgent(url, `agent-${n}`))
  const person = await openAnsweringClient(url, { waitForHistory: true, thinkingMs })
  const sources = { one: () => callsPerSecond(agents.slice(0, 1)), all: () => callsPerSecond(agents) }
  await interleave(warmUp, sources)
  const rates = await interleave(rounds, sources)
  person.close()
  await Promise.all(agents.map((agent) => agent.close()))
  await hub.stop()
  return [
    {
      measure: `${most} conversations asking, answers after ${thinkingMs} ms; one`,
      unit: 'calls/s',
      baseline: median(rates.one),
      parley: median(rates.all),
      target: { atLeastTimes: 8 },
    },
  ]

  async function callsPerSecond(agents: McpAgent[]): Promise<number> {
    const started = performance.now()
    await Promise.all(agents.map((agent) => inFlight(calls, 1, (call) => agent.ask(textOf(call)))))
    return (agents.length * calls * 1000) / (performance.now() - started)
  }
}
