import type { Page } from '@playwright/test'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const say = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'agent', text })
const approve: Body = {
  kind: 'question',
  by: 'agent',
  text: 'May I?',
  approval: { tool_name: 'Bash', input: '{"command":"rm -r build"}' },
}

/** Keeps the page's own scripts and styles back until they are let go. */
async function holdAssets(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/**', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Keeps back what the hub says in frames of this type. */
async function holdFrames(page: Page, type: string, isMeant = (_: { key?: string }) => true) {
  const held: (() => void)[] = []
  let holding = true
  await page.routeWebSocket(/\/ws/, (socket) => {
    const hub = socket.connectToServer()
    hub.onMessage((message) => {
      const frame = JSON.parse(String(message))
      const isHeld = holding && frame.type === type && isMeant(frame)
      if (isHeld) held.push(() => socket.send(message))
      else socket.send(message)
    })
  })
  return () => {
    holding = false
    for (const say of held.splice(0)) say()
  }
}

/** Runs in the page: the frame that must not move. */
const frameOf = (page: Page) =>
  page.evaluate(() => {
    const boxOf = (...names: string[]) => {
      const box = names.map((name) => document.querySelector(name)).find((node) => node?.getClientRects().length)
      const { left = 0, bottom = 0, width = 0, top = 0 } = box?.getBoundingClientRect() ?? {}
      return [left, width, top, bottom].map(Math.round)
    }
    return {
      header: boxOf('#skeleton header', 'main header'),
      side: boxOf('#skeleton ul', '.side').slice(0, 2),
      write: boxOf('#skeleton footer i', 'main form'),
    }
  })

for (const look of few(
  [
    { width: 1440, height: 900 },
    { width: 820, height: 900, dark: true },
    { width: 390, height: 844, touch: true },
  ],
  30,
)) {
  test(`[U96] shapes are there before any script, and nothing moves when the page comes (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [say('Hello')])
    const chat = await visit('/favicon.svg', { ...look, own: true })
    await chat.page.addInitScript(() => {
      const shifts: number[] = []
      Object.assign(window, { shifts })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const letGo = await holdAssets(chat.page)
    const release = await holdFrames(chat.page, 'page')
    await chat.page.goto(`${hub.url}/#/c/work`, { waitUntil: 'commit' })
    const shapes = chat.page.locator('#skeleton b').first()
    await expect(shapes).toBeVisible()
    await expect(chat.page.getByText('Loading', { exact: true })).toHaveAttribute('aria-live', 'polite')
    await expect(chat.page.locator('#skeleton > div')).toHaveAttribute('aria-hidden', 'true')
    expect(await shapes.evaluate((node) => node.getAnimations().length)).toBe(0)
    const before = await frameOf(chat.page)
    letGo()
    await expect
      .poll(() => chat.page.evaluate(() => document.fonts.status === 'loaded' && document.readyState))
      .toBe('complete')
    await expect(shapes).toBeVisible()
    await expect(chat.bubble('Hello')).toHaveCount(0)
    release()
    await expect(chat.bubble('Hello')).toBeVisible()
    await expect(chat.page.locator('#skeleton')).toHaveCount(0)
    await expect(chat.composer).toBeVisible()
    expect(await frameOf(chat.page)).toEqual(before)
    expect(await chat.page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([])
    expect(await violations(chat.page)).toEqual([])
  })
}

test('[U97] an approval waits for what was said before it, on the first load', async ({ hub, visit }) => {
  await hub.record('work', [say('I clean up'), approve])
  const chat = await visit('/favicon.svg', { own: true })
  const release = await holdFrames(chat.page, 'page')
  await chat.page.goto(`${hub.url}/#/c/work`)
  await expect(chat.page).toHaveTitle('(1) work')
  await expect(chat.page.getByRole('button', { name: 'Allow once' })).toHaveCount(0)
  release()
  await expect(chat.dock).toContainText('Bash')
  await expect(chat.bubble('I clean up')).toBeVisible()
})

test('[U97] an approval waits for what was said before it, in a conversation that is turned to', async ({
  hub,
  visit,
}) => {
  await hub.recordAll({ work: [say('I clean up'), approve], quiet: [say('Nothing to ask')] })
  const chat = await visit('/favicon.svg', { own: true })
  // The greeting brings its page without being asked, and all that is asked for has a key.
  const release = await holdFrames(chat.page, 'page', ({ key }) => key !== undefined)
  await chat.page.goto(`${hub.url}/#/c/quiet`)
  await expect(chat.bubble('Nothing to ask')).toBeVisible()
  await chat.list.getByRole('link', { name: 'work' }).click()
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('work')
  await expect(chat.composer).toBeVisible()
  await expect(chat.page.getByText('Loading…')).toBeVisible()
  await expect(chat.dock).toHaveCount(0)
  release()
  await expect(chat.dock).toContainText('Bash')
  await expect(chat.bubble('I clean up')).toBeVisible()
})
