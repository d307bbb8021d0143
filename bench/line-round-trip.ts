import { openAgent } from './agent.ts'
import { openAnsweringClient } from './bridge-client.ts'
import { openHttpSession } from './http-session.ts'
import { hubOf } from './hub-of.ts'
import { httpOf } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { calls: 50, warmUp: 4, rounds: 40 },
  smallest: { calls: 2, warmUp: 0, rounds: 1 },
}

/** What the line adds to `send_message` with a person who answers at once: beside an agent without one, at the same hub. */
export async function lineRoundTrip({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { calls, warmUp, rounds } = SIZES[size]
  const data = emptyData()
  const agent = await openAgent(env({ PARLEY_DATA: data, PARLEY_SESSION: 'line' }))
  const session = await openHttpSession(`${httpOf(agent.url)}/mcp?session=http`)
  const person = await openAnsweringClient(agent.url, { waitForHistory: true })
  const sources = { http: () => ask(session), line: () => ask(agent) }
  await interleave(warmUp, sources)
  const took = await interleave(rounds, sources)
  person.close()
  await session.close()
  await agent.running.stop()
  await hubOf(data).gone()
  return [
    {
      measure: 'round trip through a line p50; over HTTP',
      unit: 'ms',
      baseline: median(took.http),
      parley: median(took.line),
      target: { atMostTimes: 1.1 },
    },
  ]

  async function ask({ call }: { call(name: string, input: object): Promise<void> }): Promise<number[]> {
    const took: number[] = []
    for (let n = 0; n < calls; n++) {
      const started = performance.now()
      await call('send_message', { text: textOf(n) })
      took.push(performance.now() - started)
    }
    return took
  }
}
