import { type Agent, agentOf, openAgent } from './agent.ts'
import { openAnsweringClient } from './bridge-client.ts'
import { besideUs, start } from './process.ts'
import { interleave, quantile, type Result, written } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { length: 100_000, calls: 100, warmUp: 2, rounds: 20 },
  smallest: { length: 20, calls: 2, warmUp: 0, rounds: 1 },
}
const FLOOR = besideUs('floor.ts')

/** `send_message` over stdio until the reply is back, with a person who answers at once. */
export async function roundTrip({ size, env, emptyData, dataWith, file }: Workplace): Promise<Result[]> {
  const { length, calls, warmUp, rounds } = SIZES[size]
  const agents = {
    memory: await withPerson(await agentOf(start([FLOOR, 'memory'], env()))),
    sqlite: await withPerson(await agentOf(start([FLOOR, 'sqlite', file('floor')], env()))),
    empty: await withPerson(await openAgent(parleyEnv(emptyData())), { waitForHistory: true }),
    long: await withPerson(await openAgent(parleyEnv(await dataWith(length))), { waitForHistory: true }),
  }
  const sources = {
    memory: () => agents.memory.measure(calls),
    sqlite: () => agents.sqlite.measure(calls),
    empty: () => agents.empty.measure(calls),
    long: () => agents.long.measure(calls),
  }
  await interleave(warmUp, sources)
  const { memory, sqlite, empty, long } = await interleave(rounds, sources)
  for (const agent of Object.values(agents)) await agent.close()
  const p50 = quantile(empty, 0.5)
  return [
    {
      measure: 'round trip p50; floor, in memory',
      unit: 'ms',
      baseline: quantile(memory, 0.5),
      parley: p50,
    },
    {
      measure: 'round trip p50; floor, SQLite FULL',
      unit: 'ms',
      baseline: quantile(sqlite, 0.5),
      parley: p50,
      target: { atMostTimes: 1.3 },
    },
    {
      measure: 'round trip p99; its own p50',
      unit: 'ms',
      baseline: p50,
      parley: quantile(empty, 0.99),
      target: { atMostTimes: 6 },
    },
    {
      measure: 'round trip p99; p99 of the floor',
      unit: 'ms',
      baseline: quantile(sqlite, 0.99),
      parley: quantile(empty, 0.99),
    },
    {
      measure: `round trip p50 with ${written(length)} messages; empty`,
      unit: 'ms',
      baseline: p50,
      parley: quantile(long, 0.5),
      target: { atMostTimes: 1.1 },
    },
  ]

  function parleyEnv(data: string) {
    return env({ PARLEY_DATA: data, PARLEY_SESSION: CONVERSATION })
  }
}

/** Only Parley has a history to send. */
async function withPerson(agent: Agent, manner = { waitForHistory: false }) {
  const person = await openAnsweringClient(agent.url, manner)
  return { measure, close }

  async function measure(calls: number): Promise<number[]> {
    const took: number[] = []
    for (let call = 0; call < calls; call++) {
      const started = performance.now()
      await agent.sendMessage(textOf(call))
      took.push(performance.now() - started)
    }
    return took
  }

  async function close() {
    person.close()
    await agent.running.stop()
  }
}
