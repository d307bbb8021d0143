import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../scripts/chromium.mjs'

const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
const LOOP = 50_000_000

export type Browser = Awaited<ReturnType<typeof openBrowser>>

/** The browser that the tests use, each visit with a profile of its own. */
export async function openBrowser() {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...ARGS, '--disable-sync', '--no-first-run', '--js-flags=--expose-gc'],
  })
  return { visit, close: () => browser.close() }

  async function visit<Answer>(
    look: (page: Page) => Promise<Answer>,
    viewport = { width: 1280, height: 800 },
  ): Promise<Answer> {
    const context = await browser.newContext({ viewport })
    const answer = await look(await context.newPage())
    await context.close()
    return answer
  }
}

/** What the machine does at this moment in a page that does nothing else: a fixed loop, in milliseconds. */
export function loopMs(page: Page): Promise<number> {
  return page.evaluate((rounds) => {
    const started = performance.now()
    let sum = 0
    for (let n = 0; n < rounds; n++) sum = (sum + n * 31) % 1_000_003
    return sum < 0 ? 0 : performance.now() - started
  }, LOOP)
}

/** What is still in use after a collection. */
export async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 2 ** 20
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds of processor time. */
  tdur?: number
}

const MARK = 'measured page'

/**
 * The longest task of the page while this is done, in milliseconds of processor time: on a busy machine the clock also
 * runs while others have their turn.
 */
export async function longestTaskMs(page: Page, work: () => Promise<void>): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession()
  if (!session) throw new Error('There is no browser to trace')
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const complete = new Promise((resolve) => session.on('Tracing.tracingComplete', resolve))
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'] },
  })
  // The browser has other processes for pages, some of them just starting.
  await page.evaluate((mark) => performance.mark(mark), MARK)
  await work()
  await session.send('Tracing.end')
  await complete
  const ours = events.find(({ name }) => name === MARK)
  if (!ours) throw new Error('The page is not in the trace')
  const tasks = events.filter(({ name, ph, pid, tid }) => {
    return ph === 'X' && name.endsWith('RunTask') && pid === ours.pid && tid === ours.tid
  })
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000
}
