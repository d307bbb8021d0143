import { openBareShape, openParleyShape, type Shape } from './bare-shape/bare-shape.ts'
import { openAnsweringClient } from './bridge-client.ts'
import { ownThreadMicrosOf } from './cpu-of.ts'
import { inFlight } from './in-flight.ts'
import { interleave, median, quantile, type Result } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { calls: 100, posts: 2000, oneByOne: 400, warmUp: 4, rounds: 15 },
  smallest: { calls: 2, posts: 4, oneByOne: 2, warmUp: 0, rounds: 1 },
}
const IN_FLIGHT = 64
const OWN_THREAD_MICROS = 120

/** An agent that asks a person who answers at once, and one that only tells, beside the least that has the same shape. */
export async function talking(workplace: Workplace): Promise<Result[]> {
  const { calls, posts, oneByOne, warmUp, rounds } = SIZES[workplace.size]
  const bare = await talk(await openBareShape(workplace))
  const parley = await talk(await openParleyShape(workplace))
  const trips = { bare: () => bare.roundTrips(calls), parley: () => parley.roundTrips(calls) }
  const many = { bare: () => bare.posts(posts, IN_FLIGHT), parley: () => parley.posts(posts, IN_FLIGHT) }
  const single = { bare: () => bare.posts(oneByOne, 1), parley: () => parley.posts(oneByOne, 1) }
  await interleave(warmUp, trips)
  bare.used.length = parley.used.length = 0
  const took = await interleave(rounds, trips)
  const tripMicros = { bare: bare.used.splice(0), parley: parley.used.splice(0) }
  await interleave(warmUp, many)
  for (const { used, ownThread } of [bare, parley]) used.length = ownThread.length = 0
  const rates = await interleave(rounds, many)
  const postMicros = { bare: bare.used.splice(0), parley: parley.used.splice(0) }
  const ownThread = median(parley.ownThread)
  const slow = await interleave(rounds, single)
  await Promise.all([bare.close(), parley.close()])
  return [
    {
      measure: 'round trip through a line p50; bare shape',
      unit: 'ms',
      baseline: quantile(took.bare, 0.5),
      parley: quantile(took.parley, 0.5),
      target: { atMostTimes: 1.4 },
    },
    {
      measure: 'CPU of one round trip, line and hub; bare shape',
      unit: 'ms',
      baseline: median(tripMicros.bare) / 1000,
      parley: median(tripMicros.parley) / 1000,
      target: { atMostTimes: 1.6 },
    },
    {
      measure: `posts through a line, ${IN_FLIGHT} in flight; bare shape`,
      unit: 'posts/s',
      baseline: median(rates.bare),
      parley: median(rates.parley),
      target: { atLeastTimes: 0.5 },
    },
    {
      measure: 'posts through a line, one by one; bare shape',
      unit: 'posts/s',
      baseline: median(slow.bare),
      parley: median(slow.parley),
      target: { atLeastTimes: 0.75 },
    },
    {
      measure: `CPU of one post, ${IN_FLIGHT} in flight, line and hub; bare shape`,
      unit: 'µs',
      baseline: median(postMicros.bare),
      parley: median(postMicros.parley),
      target: { atMostTimes: 3 },
    },
    {
      measure: "CPU of one post, the hub's own thread; limit",
      unit: 'µs',
      baseline: OWN_THREAD_MICROS,
      parley: ownThread,
      target: { atMostTimes: 1 },
    },
  ]
}

/** One agent and one person, with what the line and the hub used for each call. */
async function talk({ hub, url, agent }: Shape) {
  const { running: line, call } = await agent(CONVERSATION)
  const person = await openAnsweringClient(url, { waitForHistory: false })
  const used: number[] = []
  const ownThread: number[] = []
  return { roundTrips, posts, used, ownThread, close }

  async function roundTrips(count: number): Promise<number[]> {
    const took: number[] = []
    await counted(count, async () => {
      for (let n = 0; n < count; n++) {
        const started = performance.now()
        await call('send_message', { text: textOf(n) })
        took.push(performance.now() - started)
      }
    })
    return took
  }

  /** How many a second. */
  async function posts(count: number, most: number): Promise<number> {
    const started = performance.now()
    await counted(count, () => inFlight(count, most, (n) => call('send_progress', { text: textOf(n) })))
    return (count / (performance.now() - started)) * 1000
  }

  async function counted(count: number, act: () => Promise<void>) {
    const before = [line.cpuMicros() + hub.cpuMicros(), ownThreadMicrosOf(hub.child.pid)] as const
    await act()
    used.push((line.cpuMicros() + hub.cpuMicros() - before[0]) / count)
    ownThread.push((ownThreadMicrosOf(hub.child.pid) - before[1]) / count)
  }

  async function close() {
    person.close()
    await line.stop()
    await hub.stop()
  }
}
