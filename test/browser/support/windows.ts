import type { Browser, BrowserContext, Page } from '@playwright/test'

export interface Look {
  width?: number
  height?: number
  dark?: boolean
  touch?: boolean
  /** A browser that nobody else has, for a test that needs the service worker, or one where nothing was loaded before. */
  own?: boolean
  /** A page that nobody gets afterwards, for a test that puts a script before the page's own or a hand on its WebSocket. */
  changed?: boolean
  /** A browser whose clock a test has. It goes on there for those who come after it. */
  clock?: boolean
}

export type Windows = ReturnType<typeof windowsOf>

/**
 * Browsers of people who do not know each other. Opening one takes five times as long as the page in it, so one that is
 * done with is cleaned and used again; each hub has an origin of its own, and with it a storage and a cache.
 */
export function windowsOf(browser: Browser) {
  const resting: { page: Page; touch: boolean; clock: boolean }[] = []
  return { open, close }

  async function open({ width = 1280, height = 800, dark = false, touch = false, own = false, clock = false }: Look) {
    const page = (own ? undefined : take(touch, clock)) ?? (await make({ touch, own }))
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', forcedColors: 'none' })
    return page
  }

  function take(touch: boolean, clock: boolean): Page | undefined {
    const place = resting.findIndex((window) => window.touch === touch && window.clock === clock)
    return place < 0 ? undefined : resting.splice(place, 1)[0]?.page
  }

  async function make({ touch, own }: { touch: boolean; own: boolean }): Promise<Page> {
    const context = await browser.newContext({
      hasTouch: touch,
      isMobile: touch,
      serviceWorkers: own ? 'allow' : 'block',
    })
    return await context.newPage()
  }

  async function close(page: Page, { touch = false, own = false, changed = false, clock = false }: Look, hub: string) {
    const context = page.context()
    if (own || page.isClosed()) return await context.close()
    const next = changed || (await isUnderLayer(page)) ? await context.newPage() : page
    if (clock) await next.clock.resume()
    await clean(next, context, hub)
    resting.push({ page: next, touch, clock })
  }
}

/** What was closed over the page may still be on its way out of the history, and would take the next visit back with it. */
async function isUnderLayer(page: Page): Promise<boolean> {
  return await page.evaluate(() => history.state?.layer !== undefined)
}

async function clean(page: Page, context: BrowserContext, hub: string) {
  page.removeAllListeners()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll()
  // Not a blank one: from hub to hub the browser keeps the process of a page, and opens the next in a fifth less time.
  await page.goto(`${hub}/favicon.svg`)
  await page.evaluate(() => localStorage.clear())
  await page.emulateMedia({ media: null, reducedMotion: null })
  await page.mouse.move(0, 0)
  await context.clearCookies()
  await context.clearPermissions()
}
