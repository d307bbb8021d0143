import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { longestTaskMs, watchLongTasks } from './long-tasks.ts'
import { heapMb, loopMs, openBrowser } from './page-browser.ts'
import { httpOf, serve } from './process.ts'
import { interleave, median, quantile, type Result, written } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { short: 100, long: 100_000, warmUp: 1, rounds: 9, liveMs: 20_000 },
  smallest: { short: 10, long: 100, warmUp: 0, rounds: 1, liveMs: 500 },
}
const PER_SECOND = 60
const FIRST_LOAD_KB = 90
const LONG_TASK_MS = 100

/** What a person at the page waits for: a conversation to open, short or long, and a busy one to keep up. */
export async function page(workplace: Workplace): Promise<Result[]> {
  const { short, long, warmUp, rounds, liveMs } = SIZES[workplace.size]
  const browser = await openBrowser()
  const hubs = { short: await hubWith(short), long: await hubWith(long) }
  const heap = { short: [] as number[], long: [] as number[] }
  const sources = { short: () => opened('short'), long: () => opened('long') }
  await interleave(warmUp, sources)
  heap.short = []
  heap.long = []
  const opening = await interleave(rounds, sources)
  const live = await browser.visit((page) => busy(page, hubs.long.url, liveMs))
  const firstKb = await browser.visit((page) => firstLoadKb(page, hubs.short.url))
  await browser.close()
  await Promise.all([hubs.short.stop(), hubs.long.stop()])
  return [
    {
      measure: `page to the last message of ${written(long)}; of ${written(short)}`,
      unit: 'ms',
      baseline: median(opening.short),
      parley: median(opening.long),
      target: { atMostTimes: 1.5 },
    },
    {
      measure: `heap of the page with ${written(long)}; with ${written(short)}`,
      unit: 'MB',
      baseline: median(heap.short),
      parley: median(heap.long),
      target: { atMostTimes: 1.5 },
    },
    {
      measure: `longest task at ${PER_SECOND} messages/s, ${liveMs / 1000} s, CPU; limit`,
      unit: 'ms',
      baseline: LONG_TASK_MS,
      parley: live.longestCpu,
      target: { atMostTimes: 1 },
    },
    {
      measure: 'the same by the clock, others’ turns included; limit',
      unit: 'ms',
      baseline: LONG_TASK_MS,
      parley: live.longest,
    },
    { measure: `frame at ${PER_SECOND} messages/s, 99th of 100; median`, unit: 'ms', ...live.frames },
    { measure: 'a fixed loop in a busy page; in an idle one', unit: 'ms', ...live.loops },
    {
      measure: 'JS and CSS to the first message, gzip; limit',
      unit: 'KB',
      baseline: FIRST_LOAD_KB,
      parley: firstKb,
      target: { atMostTimes: 1 },
    },
  ]

  async function hubWith(messages: number) {
    const hub = serve(await workplace.dataWith(messages), workplace.env())
    return { url: await hub.url, stop: hub.stop }
  }

  function opened(which: 'short' | 'long'): Promise<number> {
    return browser.visit(async (page) => {
      const started = performance.now()
      await open(page, hubs[which].url)
      const took = performance.now() - started
      heap[which].push(await heapMb(page))
      return took
    })
  }
}

/** Resolves when the last message stands at the end of what is seen. */
async function open(page: Page, url: string) {
  await page.goto(`${httpOf(url)}/#/c/${CONVERSATION}`)
  await page.waitForFunction(() => {
    const scroller = document.querySelector('section[aria-label="Messages"]')
    const last = [...(scroller?.querySelectorAll('article') ?? [])].at(-1)?.getBoundingClientRect()
    const box = scroller?.getBoundingClientRect()
    if (!scroller || !last || !box) return false
    const below = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
    return below < 2 && last.height > 0 && last.top < box.bottom && last.bottom > box.top
  })
}

async function busy(page: Page, url: string, liveMs: number) {
  const idleLoop = await loopMs(page)
  await open(page, url)
  const longTasks = await watchLongTasks(page)
  await page.evaluate(() => {
    const frameMs: number[] = []
    Object.assign(window, { frameMs })
    let before = performance.now()
    requestAnimationFrame(function frame(now) {
      frameMs.push(now - before)
      before = now
      requestAnimationFrame(frame)
    })
  })
  const longestCpu = await longestTaskMs(page, () => talk(url, liveMs))
  const tasks = await longTasks.take()
  const frames = await page.evaluate(() => (window as unknown as { frameMs: number[] }).frameMs)
  const busyLoop = await loopMs(page)
  return {
    longestCpu,
    longest: Math.max(0, ...tasks),
    frames: { baseline: median(frames), parley: quantile(frames, 0.99) },
    loops: { baseline: idleLoop, parley: busyLoop },
  }
}

/** Talks as steadily as an agent that reports all it does. */
async function talk(url: string, liveMs: number) {
  const timeline = await openTimeline(url)
  await timeline.greet()
  const started = performance.now()
  for (let sent = 0; performance.now() - started < liveMs; ) {
    const due = Math.floor(((performance.now() - started) / 1000) * PER_SECOND)
    for (; sent < due; sent++) {
      timeline.say({ type: 'post', key: `live ${sent}`, conversation: CONVERSATION, text: textOf(sent) })
    }
    await pause(1000 / PER_SECOND)
  }
  timeline.close()
}

/** What is asked for until the first message is there, as large as gzip makes it. */
async function firstLoadKb(page: Page, url: string): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  // Whatever the browser would rather have.
  await session.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'gzip' } })
  const sizes = new Map<string, number>()
  const wanted = new Set<string>()
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script' || type === 'Stylesheet') wanted.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
  await open(page, url)
  return [...wanted].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0) / 1024
}
