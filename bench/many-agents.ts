import { openBareShape, openParleyShape, type Shape } from './bare-shape/bare-shape.ts'
import { openAnsweringClient } from './bridge-client.ts'
import { inFlight } from './in-flight.ts'
import { interleave, median, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { agents: 16, calls: 50, warmUp: 2, rounds: 9 },
  smallest: { agents: 2, calls: 1, warmUp: 0, rounds: 1 },
}
const WANTED = 1500

/** Agents with lines of their own that all ask at once, and one person who answers all of them. */
export async function manyAgents(workplace: Workplace): Promise<Result[]> {
  const { agents, calls, warmUp, rounds } = SIZES[workplace.size]
  const bare = await gather(await openBareShape(workplace), agents)
  const parley = await gather(await openParleyShape(workplace), agents)
  const sources = { bare: () => bare.tripsPerSecond(calls), parley: () => parley.tripsPerSecond(calls) }
  await interleave(warmUp, sources)
  const rates = await interleave(rounds, sources)
  await Promise.all([bare.close(), parley.close()])
  const row = { unit: 'calls/s' as const, parley: median(rates.parley) }
  return [
    { measure: `${agents} agents at once, round trips; bare shape`, baseline: median(rates.bare), ...row },
    { measure: `${agents} agents at once, round trips; wanted`, baseline: WANTED, ...row, target: { atLeastTimes: 1 } },
  ]
}

async function gather({ hub, url, agent }: Shape, count: number) {
  const agents = await Promise.all(Array.from({ length: count }, (_, n) => agent(`agent-${n}`)))
  const person = await openAnsweringClient(url, { waitForHistory: false })
  return { tripsPerSecond, close }

  async function tripsPerSecond(calls: number): Promise<number> {
    const started = performance.now()
    await Promise.all(agents.map(({ call }) => inFlight(calls, 1, (n) => call('send_message', { text: textOf(n) }))))
    return ((calls * count) / (performance.now() - started)) * 1000
  }

  async function close() {
    person.close()
    await Promise.all(agents.map(({ running }) => running.stop()))
    await hub.stop()
  }
}
