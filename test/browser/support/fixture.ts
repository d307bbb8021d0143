import { test as base, expect, type Locator, type Page } from '@playwright/test'
import type { Given } from '../../../src/protocol/settings.ts'
import { type Agent, connectAgent } from './agent.ts'
import { type HubProcess, startHub } from './hub-process.ts'
import { type Look, type Windows, windowsOf } from './windows.ts'

export interface Fixtures {
  /** Whether the hub can be killed, which takes a process of its own. */
  killable: boolean
  /** What the hub is started with. */
  given: Given
  hub: HubProcess
  /** Connects an agent of this conversation. */
  connect: (session: string) => Promise<Agent>
  /** Opens the page as somebody new. */
  visit: (path?: string, look?: Look) => Promise<Chat>
}

/** Where the hubs of one worker listen, one after the other: at an address that it knows, a browser compiles nothing again. */
interface WindowPlace {
  port: number
}

/** How long a card stands still before it can be allowed. */
export const STILL_MS = 600

// Playwright writes the place of each step by maps of sources, which what Node runs does not need: it takes ten times as long.
Reflect.deleteProperty(Error, 'prepareStackTrace')

export const test = base.extend<Fixtures, { windows: Windows; place: WindowPlace }>({
  windows: [async ({ browser }, use) => use(windowsOf(browser)), { scope: 'worker' }],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants it so.
  place: [async ({}, use) => use({ port: 0 }), { scope: 'worker' }],
  killable: [false, { option: true }],
  given: [{}, { option: true }],
  hub: async ({ killable, given, place }, use) => {
    const hub = await startHub({ killable, given, port: place.port })
    if (!killable) place.port = Number(new URL(hub.url).port)
    await use(hub)
    await hub.close()
  },
  connect: async ({ hub }, use) => {
    const agents: Agent[] = []
    await use(async (session) => {
      const agent = await connectAgent(hub.url, session)
      agents.push(agent)
      return agent
    })
    await Promise.all(agents.map((agent) => agent.close()))
  },
  visit: async ({ hub, windows }, use) => {
    const problems: string[] = []
    const opened: [Page, Look][] = []
    await use(async (path = '/', look = {}) => {
      const page = await windows.open(look)
      opened.push([page, look])
      page.on('pageerror', (error) => problems.push(error.message))
      page.on('console', (message) => {
        if (/Content Security Policy|svelte\.dev/.test(message.text())) problems.push(message.text())
      })
      await page.goto(hub.url + path)
      return chatOn(page)
    })
    for (const [page, look] of opened) await windows.close(page, look, hub.url)
    // No page may break, be stopped by its own policy or warned of its own faults, whatever else a test is about.
    expect(problems).toEqual([])
  },
})

export { expect }

export type Chat = ReturnType<typeof chatOn>

/** Two people at browsers of their own, on a hub that tells them apart. */
export async function signInTwo(hub: HubProcess, visit: Fixtures['visit'], phone: Look = {}): Promise<[Chat, Chat]> {
  for (const name of ['ada', 'bob']) await hub.token('create', name, '--role', 'human')
  return [await signIn('ada'), await signIn('bob', phone)]

  async function signIn(name: string, look?: Look) {
    const chat = await visit('/favicon.svg', look)
    await chat.page.goto(await hub.token('link', name))
    await chat.page.getByRole('button', { name: /sign in/i }).click()
    await expect(chat.composer).toBeVisible()
    return chat
  }
}

/** The page as a person sees it. */
function chatOn(page: Page) {
  const timeline = page.getByRole('region', { name: 'Messages' })
  const composer = page.getByRole('textbox', { name: 'Message' })
  const allow = page.getByRole('button', { name: /^Allow (?:once|with changes)/ }).last()
  return {
    page,
    timeline,
    composer,
    list: page.getByRole('navigation', { name: 'Conversations' }),
    /** What the composer says will happen. */
    promise: page.locator('#promise'),
    dock: page.getByRole('region', { name: 'Open question' }),
    banner: page.getByRole('status'),
    /** The call in the dock was seen to its end and has stood still: what a key does before that is to scroll on, or nothing. */
    canAllow: () => expect(allow).toHaveAttribute('aria-disabled', 'false'),
    /**
     * The same where a test has the clock. The time of a card begins when the browser has drawn it, and begins again when
     * it has moved: two frames on the same place tell that the page knows of it.
     */
    wake: (decider = allow) =>
      expect(async () => {
        await decider.hover({ trial: true, timeout: 5000 })
        await page.clock.runFor(STILL_MS)
        await expect(decider).toHaveAttribute('aria-disabled', 'false', { timeout: 250 })
      }).toPass(),
    /** That this one is marked, which it is for a moment only: the page itself looks, at every frame. */
    marked: (text: string) => page.waitForFunction(isMarked, text),
    bubble: (text: string) => timeline.getByRole('article').filter({ hasText: text }),
    /** Where it rests: a wheel goes on turning after it was let go. */
    scroll: () => timeline.evaluate(restingPlace),
    /** How far the end of the conversation is below what is seen. */
    distance: () => timeline.evaluate((node) => Math.round(node.scrollHeight - node.scrollTop - node.clientHeight)),
    /** The texts on screen, once the browser has drawn what was done last. */
    seen: () => timeline.evaluate(textsInView),
    /**
     * Done only when it rests there: what is clicked while it still scrolls is missed by the browser. Where there are
     * older pages, which come only then, `first` is what stands at the top of them all.
     */
    async scrollToTop(first?: Locator) {
      await timeline.hover()
      const atTop = async () => {
        await page.mouse.wheel(0, -20_000)
        expect(await timeline.evaluate(restingPlace)).toBe(0)
        if (first) await expect(first).toBeInViewport({ timeout: 1000 })
      }
      await expect(atTop).toPass()
    },
    /** Away from the end; done when it rests there. */
    async scrollUp(px: number) {
      await timeline.hover()
      const leave = async () => {
        await page.mouse.wheel(0, -px)
        await expect(page.getByRole('button', { name: 'Newest' })).toBeVisible({ timeout: 1000 })
      }
      await expect(leave).toPass()
      await timeline.evaluate(restingPlace)
    },
    /** What was tapped and could be taken back is sent, as for someone who goes away. */
    sendNow: () => page.evaluate(() => dispatchEvent(new Event('pagehide'))),
    async reply(text: string) {
      await composer.fill(text)
      await composer.press('Enter')
    },
  }
}

/** Runs in the page. */
function isMarked(text: string): boolean {
  return [...document.querySelectorAll('.marked')].some(({ textContent }) => textContent.includes(text))
}

/** Runs in the page. */
async function restingPlace(node: HTMLElement): Promise<number> {
  for (let top = -1; top !== node.scrollTop; ) {
    top = node.scrollTop
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  }
  return node.scrollTop
}

/** Runs in the page. */
async function textsInView(node: HTMLElement): Promise<string[]> {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  const { top, bottom } = node.getBoundingClientRect()
  const inView = [...node.querySelectorAll('article')].filter((article) => {
    const box = article.getBoundingClientRect()
    return box.bottom > top && box.top < bottom
  })
  return inView.map((article) => article.innerText)
}
