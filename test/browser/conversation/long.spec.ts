import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'

const MANY = process.env.PARLEY_SOAK ? 100_000 : 5_000
/** Much of it is on screen at once, so that one is soon far away. */
const TALL = { height: 1700 }
/** Higher than the window could ever be with these lines, and far lower than all of them. */
const HIGHEST_PX = 100_000
/** For a hub that starts and a page that waits ever longer until it tries again. */
const LONG = { timeout: 60_000 }

const lines = (count: number) =>
  Array.from({ length: count }, (_, n): Body => {
    return { kind: 'message', author: n % 3 ? 'assistant' : 'user', by: 'agent', text: `Line ${n}.` }
  })

test(`[U60] ${MANY} messages open at the end, and the page holds a window of them however far one scrolls`, async ({
  hub,
  visit,
}) => {
  test.slow()
  await hub.record('website', lines(MANY))
  const chat = await visit('/', TALL)
  await expect(chat.bubble(`Line ${MANY - 1}.`)).toBeInViewport()
  await chat.timeline.hover()
  await scrollUntil(chat, -1300, (lines) => Math.min(...lines) < MANY - 800)
  expect(await chat.timeline.evaluate(({ scrollHeight }) => scrollHeight)).toBeLessThan(HIGHEST_PX)
  expect(await chat.timeline.getByRole('article').count()).toBeLessThan(100)
  await hub.say('website', ['Said meanwhile'])
  const pill = chat.page.getByRole('button', { name: '1 new' })
  await expect(pill).toBeVisible()
  await pill.click()
  await expect(chat.bubble('Said meanwhile')).toBeInViewport()
  await expect(chat.bubble(`Line ${MANY - 1}.`)).toBeInViewport()
  await expect(pill).toBeHidden()
  await expect.poll(chat.distance).toBeLessThanOrEqual(1)
})

test('[U61] what is being read stays where it is while pages come and go at both ends', async ({ hub, visit }) => {
  test.slow()
  await hub.record('website', lines(700))
  const chat = await visit('/', TALL)
  await expect(chat.bubble('Line 699.')).toBeInViewport()
  await chat.timeline.hover()
  await scrollUntil(chat, -1300, (lines) => Math.min(...lines) < 50)
  await scrollUntil(chat, 1300, (lines) => Math.max(...lines) === 699)
  await chat.page.mouse.wheel(0, 1300)
  await expect(chat.page.getByRole('button', { name: 'Newest' })).toBeHidden()
})

test('[U60] who says something far from the end is taken there', async ({ hub, visit }) => {
  await hub.record('website', lines(2000))
  const chat = await visit()
  await expect(chat.bubble('Line 1999.')).toBeInViewport()
  await chat.timeline.press('Home')
  await expect(chat.bubble('Line 0.')).toBeInViewport()
  await chat.reply('Here I am')
  await expect(chat.bubble('Here I am')).toBeInViewport()
  await expect(chat.bubble('Line 1999.')).toBeInViewport()
})

test('[U61] Home and End lead to the first and the last message', async ({ hub, visit }) => {
  await hub.record('website', lines(3000))
  const chat = await visit('/', { width: 820, height: 700 })
  await expect(chat.bubble('Line 2999.')).toBeInViewport()
  await chat.timeline.press('Home')
  await expect(chat.bubble('Line 0.')).toBeInViewport()
  await expect(chat.page.getByRole('button', { name: 'Newest' })).toBeVisible()
  await chat.timeline.press('End')
  await expect(chat.bubble('Line 2999.')).toBeInViewport()
  await expect.poll(chat.distance).toBeLessThanOrEqual(1)
})

test.describe(() => {
  test.use({ killable: true })

  test('[U61] a reconnect neither scrolls nor focuses nor animates, also far from the end', async ({ hub, visit }) => {
    const ids = await hub.record('website', lines(1500))
    const chat = await visit(`/#/c/website/${ids[700]}`)
    await expect(chat.bubble('Line 700.')).toBeInViewport()
    await chat.composer.fill('half a sen')
    const ahead = () =>
      chat.timeline.evaluate((node) => Math.min(node.scrollTop, node.scrollHeight - node.scrollTop - node.clientHeight))
    // With so much at both ends nothing more is read, which would be another place of the same rows.
    await expect.poll(ahead).toBeGreaterThan(1500)
    const [scroll, rows] = [await chat.scroll(), await chat.seen()]
    await hub.kill()
    await expect(chat.banner).toContainText('reconnecting')
    const comeBack = async () => {
      await hub.restart()
      // More than can be replayed, so that the page has to start anew.
      await hub.say(
        'website',
        Array.from({ length: 600 }, (_, n) => `Missed ${n}.`),
      )
    }
    // It says so for a moment only, which may be over before all that was said.
    await Promise.all([expect(chat.banner).toContainText('Back online', LONG), comeBack()])
    await expect(chat.banner).toBeEmpty()
    expect(await chat.scroll()).toBe(scroll)
    expect(await chat.seen()).toEqual(rows)
    await expect(chat.composer).toBeFocused()
    // Only what comes while the page is there is counted.
    await chat.page.getByRole('button', { name: /^(\d+ new|Newest)$/ }).click()
    await expect(chat.bubble('Missed 599.')).toBeInViewport()
  })
})

/** By the wheel, and no line may be left out on the way: a jump would skip some that were never on screen. */
async function scrollUntil(chat: Chat, by: number, done: (lines: number[]) => boolean) {
  let before = await seenLines(chat)
  while (!done(before)) {
    await chat.page.mouse.wheel(0, by)
    const lines = await seenLines(chat)
    expect(Math.min(...lines), 'a jump down').toBeLessThanOrEqual(Math.max(...before) + 1)
    expect(Math.max(...lines), 'a jump up').toBeGreaterThanOrEqual(Math.min(...before) - 1)
    before = lines
  }
  // The wheel goes on turning, and would take along whoever goes elsewhere meanwhile.
  await chat.scroll()
}

/** Those that are drawn; right after a scroll there may be none. */
async function seenLines(chat: Chat): Promise<number[]> {
  for (;;) {
    const texts = await chat.seen()
    const lines = texts.flatMap((text) => /Line (\d+)\./.exec(text)?.[1] ?? []).map(Number)
    if (lines.length > 0) return lines
  }
}
