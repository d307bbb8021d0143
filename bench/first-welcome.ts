import { setTimeout as pause } from 'node:timers/promises'
import { prefillConversations } from './prefill.ts'
import { serve } from './process.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { conversations: 5000, entries: 50, warmUp: 1, rounds: 5 },
  smallest: { conversations: 60, entries: 2, warmUp: 0, rounds: 1 },
}
const LOOK_MS = 500

/** What a person waits for after a start, and what it costs, with many conversations from before and with none. */
export async function firstWelcome({ size, env, filled, settle }: Workplace): Promise<Result[]> {
  const { conversations, entries, warmUp, rounds } = SIZES[size]
  const rss = { none: [] as number[], many: [] as number[] }
  const sources = { none: () => start('none', 0), many: () => start('many', conversations) }
  await interleave(warmUp, sources)
  rss.none = []
  rss.many = []
  const took = await interleave(rounds, sources)
  const what = `with ${written(conversations)} conversations of ${entries}; with none`
  return [
    {
      measure: `hub start to first welcome ${what}`,
      unit: 'ms',
      baseline: median(took.none),
      parley: median(took.many),
      target: { atMostTimes: 1.5 },
    },
    {
      measure: `RSS after the first welcome ${what}`,
      unit: 'MB',
      baseline: median(rss.none),
      parley: median(rss.many),
      target: { atMostMore: 10 },
    },
  ]

  /** Each time on a copy, because a start may leave something behind that makes the next one easier. */
  async function start(which: 'none' | 'many', count: number): Promise<number> {
    const data = await filled(`conversations-${count}`, (data) => fill(data, count))
    const hub = serve(data, env())
    const timeline = await openTimeline(await hub.url)
    await timeline.greet()
    const took = performance.now() - hub.started
    await settle()
    rss[which].push(hub.rssMb())
    timeline.close()
    await hub.stop()
    return took
  }

  /** Leaves the log of a hub that had time for all its work in the background and was closed in good order. */
  async function fill(data: string, count: number) {
    await prefillConversations(data, count, entries)
    const hub = serve(data, env())
    const timeline = await openTimeline(await hub.url)
    await timeline.greet()
    while ((await timeline.ask('found', { type: 'search', key: 'look', query: 'nowhere' })).indexing)
      await pause(LOOK_MS)
    timeline.close()
    await hub.stop()
  }
}
