import { serve } from './process.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { CONVERSATION } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { short: 1000, long: 100_000, warmUp: 10, connections: 60, starts: 15 },
  smallest: { short: 30, long: 60, warmUp: 1, connections: 1, starts: 1 },
}
const MISSED = 10
const PAGE_LIMIT_MS = 5

/** What a person waits for: the first page, what was missed, and the hub itself; with little and with much history. */
export async function opening(workplace: Workplace): Promise<Result[]> {
  return [...(await connecting(workplace)), ...(await starting(workplace))]
}

async function connecting({ size, env, dataWith }: Workplace): Promise<Result[]> {
  const { warmUp, connections, ...lengths } = SIZES[size]
  const lengthsCompared = `with ${written(lengths.long)}; with ${written(lengths.short)}`
  const short = await openHub(await dataWith(lengths.short), env())
  const long = await openHub(await dataWith(lengths.long), env())
  await interleave(warmUp, { short: short.connect, long: long.connect })
  const pages = await interleave(connections, { short: short.connect, long: long.connect })
  const resumes = await interleave(connections, { short: short.resume, long: long.resume })
  await Promise.all([short.stop(), long.stop()])
  return [
    {
      measure: `connect to first page ${lengthsCompared}`,
      unit: 'ms',
      baseline: median(pages.short),
      parley: median(pages.long),
      target: { atMostTimes: 1.5 },
    },
    {
      measure: `connect to first page with ${written(lengths.long)}; limit`,
      unit: 'ms',
      baseline: PAGE_LIMIT_MS,
      parley: median(pages.long),
      target: { atMostTimes: 1 },
    },
    {
      measure: `resume with ${MISSED} missed ${lengthsCompared}`,
      unit: 'ms',
      baseline: median(resumes.short),
      parley: median(resumes.long),
      target: { atMostTimes: 1.2 },
    },
  ]
}

async function openHub(data: string, env: NodeJS.ProcessEnv) {
  const hub = serve(data, env)
  const url = await hub.url
  let cursor = ''
  return { connect, resume, stop: hub.stop }

  async function connect(): Promise<number> {
    const started = performance.now()
    const timeline = await openTimeline(url)
    const { entries } = await timeline.ask('page', { type: 'hello', conversation: CONVERSATION })
    const took = performance.now() - started
    cursor = entries.at(-1 - MISSED)?.id ?? ''
    timeline.close()
    return took
  }

  async function resume(): Promise<number> {
    const started = performance.now()
    const timeline = await openTimeline(url)
    const missed = timeline.entries(MISSED)
    const { resumed } = await timeline.greet({ conversation: CONVERSATION, cursor })
    if (!resumed) throw new Error('The hub did not resume')
    await missed
    const took = performance.now() - started
    timeline.close()
    return took
  }
}

async function starting({ size, env, emptyData, dataWith }: Workplace): Promise<Result[]> {
  const { long, starts } = SIZES[size]
  const address = { empty: [] as number[], long: [] as number[] }
  const data = { empty: emptyData(), long: await dataWith(long) }
  const sources = { empty: () => firstWelcome('empty'), long: () => firstWelcome('long') }
  await interleave(1, sources)
  address.empty = []
  address.long = []
  const welcome = await interleave(starts, sources)
  return [
    {
      measure: `hub start to its address with ${written(long)}; empty`,
      unit: 'ms',
      baseline: median(address.empty),
      parley: median(address.long),
    },
    {
      measure: `hub start to first welcome with ${written(long)}; empty`,
      unit: 'ms',
      baseline: median(welcome.empty),
      parley: median(welcome.long),
      target: { atMostTimes: 1.2 },
    },
  ]

  async function firstWelcome(which: 'empty' | 'long'): Promise<number> {
    const hub = serve(data[which], env())
    const url = await hub.url
    address[which].push(performance.now() - hub.started)
    const timeline = await openTimeline(url)
    await timeline.greet()
    const took = performance.now() - hub.started
    timeline.close()
    await hub.stop()
    return took
  }
}
