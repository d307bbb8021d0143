import { CONVERSATION } from './prefill.ts'
import { serve } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const CONNECTIONS = 60
const STARTS = 15
const MISSED = 10
const SHORT = 1000
const LONG = 100_000

/** What a person waits for: the first page, what was missed, and the hub itself; with little and with much history. */
export async function opening(workplace: Workplace): Promise<Result[]> {
  return [...(await connecting(workplace)), ...(await starting(workplace))]
}

async function connecting({ env, dataWith }: Workplace): Promise<Result[]> {
  const short = await openHub(await dataWith(SHORT), env())
  const long = await openHub(await dataWith(LONG), env())
  await interleave(10, { short: short.connect, long: long.connect })
  const pages = await interleave(CONNECTIONS, { short: short.connect, long: long.connect })
  const resumes = await interleave(CONNECTIONS, { short: short.resume, long: long.resume })
  await Promise.all([short.stop(), long.stop()])
  return [
    {
      measure: 'connect to first page with 100,000; with 1,000',
      unit: 'ms',
      baseline: median(pages.short),
      parley: median(pages.long),
      target: { atMostTimes: 1.5 },
    },
    {
      measure: 'resume with 10 missed with 100,000; with 1,000',
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
    const page = timeline.frame('page')
    timeline.say({ type: 'hello', conversation: CONVERSATION })
    const { entries } = await page
    const took = performance.now() - started
    cursor = entries.at(-1 - MISSED)?.id ?? ''
    timeline.close()
    return took
  }

  async function resume(): Promise<number> {
    const started = performance.now()
    const timeline = await openTimeline(url)
    const missed = timeline.entries(MISSED)
    const welcome = timeline.frame('welcome')
    timeline.say({ type: 'hello', conversation: CONVERSATION, cursor })
    if (!(await welcome).resumed) throw new Error('The hub did not resume')
    await missed
    const took = performance.now() - started
    timeline.close()
    return took
  }
}

async function starting({ env, emptyData, dataWith }: Workplace): Promise<Result[]> {
  const address: Record<string, number[]> = { empty: [], long: [] }
  const data = { empty: emptyData(), long: await dataWith(LONG) }
  const sources = { empty: () => firstWelcome('empty'), long: () => firstWelcome('long') }
  await interleave(1, sources)
  address.empty = []
  address.long = []
  const welcome = await interleave(STARTS, sources)
  return [
    {
      measure: 'hub start to its address with 100,000; empty',
      unit: 'ms',
      baseline: median(address.empty),
      parley: median(address.long),
    },
    {
      measure: 'hub start to first welcome with 100,000; empty',
      unit: 'ms',
      baseline: median(welcome.empty),
      parley: median(welcome.long),
      target: { atMostTimes: 1.2 },
    },
  ]

  async function firstWelcome(which: 'empty' | 'long'): Promise<number> {
    const hub = serve(data[which], env())
    const url = await hub.url
    address[which]?.push(performance.now() - hub.started)
    const timeline = await openTimeline(url)
    const welcome = timeline.frame('welcome')
    timeline.say({ type: 'hello' })
    await welcome
    const took = performance.now() - hub.started
    timeline.close()
    await hub.stop()
    return took
  }
}
