import { once } from 'node:events'
import { patiently } from './patience.ts'
import { prefillUndelivered } from './prefill.ts'
import { serve } from './process.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  // Both are more than a conversation names; what is named has a limit, and is a few KB.
  full: { few: 500, many: 50_000, warmUp: 2, rounds: 9 },
  smallest: { few: 10, many: 20, warmUp: 0, rounds: 1 },
}
const CONVERSATIONS = 10

/** How large the greeting of the page is, and how long it takes, when agents never fetched what they asked for. */
export async function undeliveredReplies({ size, env, filled }: Workplace): Promise<Result[]> {
  const { few, many, warmUp, rounds } = SIZES[size]
  const hubs = { few: await openHub(few), many: await openHub(many) }
  const sources = { few: hubs.few.greet, many: hubs.many.greet }
  await interleave(warmUp, sources)
  const took = await interleave(rounds, sources)
  await Promise.all([hubs.few.stop(), hubs.many.stop()])
  const what = `with ${written(many)} undelivered replies; with ${written(few)}`
  return [
    {
      measure: `connect to welcome ${what}`,
      unit: 'ms',
      baseline: median(took.few),
      parley: median(took.many),
      target: { atMostTimes: 1.5 },
    },
    {
      measure: `size of the welcome ${what}`,
      unit: 'KB',
      baseline: hubs.few.welcomeKb(),
      parley: hubs.many.welcomeKb(),
      target: { atMostTimes: 1.5 },
    },
  ]

  async function openHub(replies: number) {
    const data = await filled(`undelivered-${replies}`, (data) => prefillUndelivered(data, replies, CONVERSATIONS))
    const hub = serve(data, env())
    const url = await hub.url
    let bytes = Number.NaN
    return { greet, welcomeKb: () => bytes / 1024, stop: hub.stop }

    async function greet(): Promise<number> {
      const started = performance.now()
      const timeline = await openTimeline(url)
      const first = once(timeline.socket, 'message')
      timeline.say({ type: 'hello' })
      const [welcome] = (await patiently('the welcome', first)) as [Buffer]
      const took = performance.now() - started
      bytes = welcome.length
      timeline.close()
      return took
    }
  }
}
