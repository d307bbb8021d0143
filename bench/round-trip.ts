import { attachAgent } from './agent.ts'
import { openAnsweringClient } from './bridge-client.ts'
import { CONVERSATION } from './prefill.ts'
import { FLOOR, PARLEY, start } from './process.ts'
import { interleave, quantile, type Result } from './statistics.ts'
import { textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const ROUNDS = 20
const CALLS = 100
const LONG = 100_000

/** `send_message` over stdio until the reply is back, with a person who answers at once. */
export async function roundTrip({ env, emptyData, dataWith, file }: Workplace): Promise<Result[]> {
  const agents = {
    memory: await openAgent([FLOOR, 'memory'], env()),
    sqlite: await openAgent([FLOOR, 'sqlite', file('floor')], env()),
    empty: await openAgent([PARLEY, 'stdio'], parleyEnv(emptyData())),
    long: await openAgent([PARLEY, 'stdio'], parleyEnv(await dataWith(LONG))),
  }
  await interleave(2, sources())
  const { memory, sqlite, empty, long } = await interleave(ROUNDS, sources())
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
      measure: 'round trip p50 with 100,000 messages; empty',
      unit: 'ms',
      baseline: p50,
      parley: quantile(long, 0.5),
      target: { atMostTimes: 1.1 },
    },
  ]

  function parleyEnv(data: string) {
    return env({ PARLEY_DATA: data, PARLEY_SESSION: CONVERSATION })
  }

  function sources() {
    return {
      memory: agents.memory.measure,
      sqlite: agents.sqlite.measure,
      empty: agents.empty.measure,
      long: agents.long.measure,
    }
  }
}

async function openAgent(args: string[], env: NodeJS.ProcessEnv) {
  const running = start(args, env)
  const agent = attachAgent(running)
  await agent.initialize()
  // Only Parley has a history to send.
  const waitForHistory = args[0] === PARLEY
  const person = await openAnsweringClient(await running.url, { waitForHistory })
  return { measure, close }

  async function measure(): Promise<number[]> {
    const took: number[] = []
    for (let call = 0; call < CALLS; call++) {
      const started = performance.now()
      await agent.sendMessage(textOf(call))
      took.push(performance.now() - started)
    }
    return took
  }

  async function close() {
    person.close()
    await running.stop()
  }
}
