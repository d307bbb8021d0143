import { besideUs, serve, start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import { openTimeline, type Timeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { posts: 4000, warmUp: 1, rounds: 9 },
  smallest: { posts: 4, warmUp: 0, rounds: 1 },
}
const IN_FLIGHT = 64

/** Posts over one socket, each durable before it is acknowledged. */
export async function posting({ size, env, emptyData, file }: Workplace): Promise<Result[]> {
  const { posts, warmUp, rounds } = SIZES[size]
  const floor = start([besideUs('floor.ts'), 'grouped', file('floor')], env())
  const hub = serve(emptyData(), env())
  const toFloor = await openTimeline(await floor.url)
  const toHub = await openTimeline(await hub.url)
  await toHub.greet()
  const sources = { floor: () => postsPerSecond(toFloor), parley: () => postsPerSecond(toHub) }
  await interleave(warmUp, sources)
  const rates = await interleave(rounds, sources)
  toFloor.close()
  toHub.close()
  await Promise.all([floor.stop(), hub.stop()])
  return [
    {
      measure: `posts, ${IN_FLIGHT} in flight; floor, grouped commits`,
      unit: 'posts/s',
      baseline: median(rates.floor),
      parley: median(rates.parley),
      target: { atLeastTimes: 0.5 },
    },
  ]

  async function postsPerSecond(timeline: Timeline): Promise<number> {
    const started = performance.now()
    await postMany(timeline, posts)
    return (posts / (performance.now() - started)) * 1000
  }
}

/** Keeps so many on the way until all are accepted. */
export function postMany(timeline: Timeline, count: number): Promise<void> {
  const run = Math.random().toString(36).slice(2)
  return timeline.sendMany(count, 'accepted', IN_FLIGHT, (n) => {
    return { type: 'post', key: `${run}-${n}`, conversation: CONVERSATION, text: textOf(n) }
  })
}
