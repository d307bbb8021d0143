import type { Page } from '@playwright/test'
import type { Result } from './statistics.ts'

/** A longer one is felt. */
export const LONG_TASK_MS = 50

/** The rows of what was seen: by the processor, which is judged, and by the clock. */
export function longestTask(title: string, { longestCpu, longest }: { longestCpu: number; longest: number }): Result[] {
  return [
    {
      measure: `longest task, ${title}, CPU; limit`,
      unit: 'ms',
      baseline: LONG_TASK_MS,
      parley: longestCpu,
      target: { atMostTimes: 1 },
    },
    {
      measure: 'the same by the clock, others’ turns included',
      unit: 'ms',
      baseline: LONG_TASK_MS,
      parley: longest,
    },
  ]
}

/** Watches from now on; `take` gives how long each task was, by the clock. */
export async function watchLongTasks(page: Page) {
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(window, { tasks })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration)
    }).observe({ type: 'longtask' })
  })
  return { take: () => page.evaluate(() => (window as unknown as { tasks: number[] }).tasks) }
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
