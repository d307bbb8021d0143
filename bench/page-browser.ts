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
