import { COLLECTING, keptBy } from './collecting.ts'
import { serve } from './process.ts'
import { type Result, written } from './statistics.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { few: 200, many: 20_000 },
  smallest: { few: 1, many: 2 },
}
const IN_FLIGHT = 64

/** What a hub keeps of conversations that do not exist and that a page only asked for. */
export async function namesAskedFor({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { few, many } = SIZES[size]
  const hub = serve(emptyData(), env(), COLLECTING)
  const timeline = await openTimeline(await hub.url)
  await timeline.greet()
  await askFor(0, few)
  const before = await keptBy(hub)
  await askFor(few, many)
  const after = await keptBy(hub)
  timeline.close()
  await hub.stop()
  return [
    {
      measure: `heap of the hub after ${written(many)} names were only asked for; after ${written(few)}`,
      unit: 'MB',
      baseline: before.heapMb,
      parley: after.heapMb,
      target: { atMostMore: 1 },
    },
  ]

  function askFor(from: number, to: number) {
    return timeline.sendMany(to - from, 'page', IN_FLIGHT, (n) => {
      return { type: 'read', key: `read-${from + n}`, conversation: `nobody-${from + n}` }
    })
  }
}
