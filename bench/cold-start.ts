import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { openAgent, speakAs, startLine } from './agent.ts'
import { startBareLine } from './bare-shape/bare-shape.ts'
import { hubOf } from './hub-of.ts'
import { patiently } from './patience.ts'
import { httpOf, type Running, start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { warmUp: 2, rounds: 31 }, smallest: { warmUp: 1, rounds: 1 } }
const LOOK_MS = 3

/** What an agent's user waits for: from spawn to the answer to `initialize` and to the page, with warm compile caches. */
export async function coldStart(workplace: Workplace): Promise<Result[]> {
  const { size, env, emptyData } = workplace
  const { warmUp, rounds } = SIZES[size]
  const running = env({ PARLEY_DATA: emptyData() })
  const data = emptyData()
  const alone = env({ PARLEY_DATA: data })
  const keeper = await openAgent(running)
  const sources = {
    node: () => start(['-e', '0'], env()).exited,
    running: toRunningHub,
    alone: toOwnHub,
    page: toPage,
    bare: () => bareStart(),
    barePage: () => bareStart({ toPage: true }),
    ownPage: toInitializeAndPage,
  }
  await interleave(warmUp, sources)
  const took = await interleave(rounds, sources)
  await keeper.running.stop()
  return [
    line('initialize, hub running', took.running, 1.6),
    line('initialize, no hub yet', took.alone, 4.5),
    line('the page, no hub yet', took.page, 8),
    beside('initialize, no hub yet', took.bare, took.alone, 1),
    beside('initialize and then the page, no hub yet', took.barePage, took.ownPage, 1.3),
  ]

  async function bareStart({ toPage = false } = {}): Promise<number> {
    const line = startBareLine(workplace.file('bare'), workplace)
    const ms = await untilAnswered(line)
    const page = await line.url
    if (toPage) await patiently('the page', served(httpOf(page)))
    const msToPage = performance.now() - line.started
    await line.stop()
    return toPage ? msToPage : ms
  }

  async function toInitializeAndPage(): Promise<number> {
    const line = startLine(alone)
    await untilAnswered(line)
    await patiently('the page', served(httpOf(hubOf(data).url)))
    const ms = performance.now() - line.started
    await end(line)
    return ms
  }

  async function toRunningHub(): Promise<number> {
    const line = startLine(running)
    const ms = await untilAnswered(line)
    await line.stop()
    return ms
  }

  async function toOwnHub(): Promise<number> {
    const line = startLine(alone)
    const ms = await untilAnswered(line)
    await end(line)
    return ms
  }

  async function toPage(): Promise<number> {
    // The next hub is where the last one was.
    const page = httpOf(hubOf(data).url)
    const line = startLine(alone)
    const answered = untilAnswered(line)
    await patiently('the page', served(page))
    const ms = performance.now() - line.started
    await answered
    await end(line)
    return ms
  }

  /** The hub stays no longer than its only line, and writes the compile cache when it has opened and ends. */
  async function end(line: Running) {
    await line.url
    await line.stop()
    await hubOf(data).gone()
  }

  function beside(to: string, bare: number[], ms: number[], atMostTimes: number): Result {
    return {
      measure: `spawn to ${to}; bare shape`,
      unit: 'ms',
      baseline: median(bare),
      parley: median(ms),
      target: { atMostTimes },
    }
  }

  function line(to: string, ms: number[], atMostTimes: number): Result {
    return {
      measure: `spawn to ${to}; node -e 0`,
      unit: 'ms',
      baseline: median(took.node),
      parley: median(ms),
      target: { atMostTimes },
    }
  }
}

export async function untilAnswered(line: Running): Promise<number> {
  await speakAs(line).initialize()
  return performance.now() - line.started
}

export async function served(url: string): Promise<void> {
  while (!(await isServed(url))) await pause(LOOK_MS)
}

/** Whole. */
function isServed(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
    })
    request.on('error', () => resolve(false))
  })
}
