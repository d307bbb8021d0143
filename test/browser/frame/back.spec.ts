import type { Locator } from '@playwright/test'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { png } from '../../support/images.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const PHONE = { width: 390, height: 844, touch: true }

const lines = (count: number, word = 'Line') =>
  Array.from({ length: count }, (_, n): Body => {
    return { kind: 'message', author: 'assistant', by: 'agent', text: `${word} ${n}.` }
  })

const back = ({ page }: Chat) => page.evaluate(() => history.back())
const forward = ({ page }: Chat) => page.evaluate(() => history.forward())
/** To what was closed, from where the page leads back by itself. */
const forwardInVain = ({ page }: Chat) =>
  page.evaluate(async () => {
    const arrived = () => new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
    const there = arrived()
    history.forward()
    await there
    if (history.state?.layer !== undefined) await arrived()
  })
const steps = ({ page }: Chat) => page.evaluate(() => history.length)
const title = ({ page }: Chat) => page.getByRole('heading', { level: 1 })
const menu = ({ page }: Chat) => page.getByRole('button', { name: 'Show the conversations' })
/** Where the row stands on screen. */
const heightOf = async (row: Locator) => Math.round((await row.boundingBox())?.y ?? Number.NaN)
/** But for the pixel that a browser rounds to when it scrolls. */
const isAt = (row: Locator, height: number) =>
  expect.poll(async () => Math.abs((await heightOf(row)) - height)).toBeLessThanOrEqual(1)

test('[U93] Back closes the drawer, the search, settings, the day picker and a picture, and stays on the page', async ({
  hub,
  visit,
}) => {
  await hub.record('website', lines(3))
  const chat = await visit('/#/c/website', PHONE)
  await expect(chat.bubble('Line 2.')).toBeVisible()
  await chat.page
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png(9, 9) })
  await chat.page.getByRole('button', { name: 'Send' }).click()
  const dialogs: [string, () => Promise<void>][] = [
    ['Conversations', () => menu(chat).click()],
    ['Search', () => chat.page.keyboard.press('Control+k')],
    ['Keyboard shortcuts', () => chat.page.keyboard.press('?')],
    ['Go to a day', () => chat.timeline.getByRole('button', { name: 'Today' }).click()],
    ['a.png', () => chat.timeline.getByRole('button', { name: 'Enlarge a.png' }).click()],
  ]
  await chat.timeline.focus()
  for (const [name, open] of dialogs) {
    const dialog = chat.page.getByRole('dialog', { name })
    await open()
    await expect(dialog).toBeVisible()
    await back(chat)
    await expect(dialog).toBeHidden()
    await expect(title(chat)).toHaveText('website')
    // What was closed stays so.
    await forwardInVain(chat)
    await expect.poll(() => chat.page.evaluate(() => history.state?.layer)).toBeUndefined()
    await expect(dialog).toBeHidden()
  }
})

test('[U93] what is closed in another way leaves nothing behind, and what is opened from it is one step', async ({
  hub,
  visit,
}) => {
  await hub.recordAll({ first: lines(3), second: lines(3) })
  const chat = await visit('/#/c/first', PHONE)
  const drawer = chat.page.getByRole('dialog', { name: 'Conversations' })
  const search = chat.page.getByRole('dialog', { name: 'Search' })
  const settings = chat.page.getByRole('dialog', { name: 'Settings' })
  await expect(chat.bubble('Line 2.')).toBeVisible()
  const layer = () => chat.page.evaluate(() => history.state?.layer)
  await menu(chat).click()
  await expect(drawer).toBeVisible()
  const opened = await steps(chat)
  await chat.page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect.poll(layer).toBeUndefined()

  await menu(chat).click()
  await expect(drawer).toBeVisible()
  const below = await layer()
  await drawer.getByRole('button', { name: 'Search' }).click()
  await expect(search).toBeVisible()
  await expect(drawer).toBeHidden()
  // The browser takes its time to leave the one step for the other.
  await expect.poll(async () => [undefined, below].includes(await layer())).toBe(false)
  await back(chat)
  await expect(search).toBeHidden()
  await expect(drawer).toBeHidden()

  await menu(chat).click()
  await drawer.getByRole('button', { name: 'Settings' }).click()
  await expect(settings).toBeVisible()
  await back(chat)
  await expect(settings).toBeHidden()
  await expect(drawer).toBeVisible()
  await drawer.getByRole('link', { name: 'second' }).click()
  await expect(title(chat)).toHaveText('second')
  await expect(drawer).toBeHidden()
  expect(await steps(chat)).toBe(opened)
  await back(chat)
  await expect(title(chat)).toHaveText('first')
  await forward(chat)
  await expect(title(chat)).toHaveText('second')
})

test('[U93] a reload with something open comes back without it, and Back goes on working', async ({ hub, visit }) => {
  await hub.recordAll({ first: lines(3), second: lines(3) })
  const chat = await visit('/#/c/first', PHONE)
  await expect(chat.bubble('Line 2.')).toBeVisible()
  await chat.page.evaluate(() => (location.hash = '#/c/second'))
  await expect(title(chat)).toHaveText('second')
  await menu(chat).click()
  await expect(chat.list).toBeVisible()
  await chat.page.reload()
  await expect(title(chat)).toHaveText('second')
  await expect.poll(() => chat.page.evaluate(() => history.state?.layer)).toBeUndefined()
  await back(chat)
  await expect(title(chat)).toHaveText('first')
})

for (const look of few([{ width: 1440, height: 900, dark: true }, PHONE], 2)) {
  test(`[U94] Back returns from a jump to where one was (${look.width} px)`, async ({ hub, visit }) => {
    const question: Body = { kind: 'question', by: 'agent', text: 'Shall we?' }
    const [ids = []] = await hub.recordAll({
      website: [question, ...lines(700)],
      other: [...lines(400, 'Needle'), ...lines(200, 'Hay')],
    })
    const chat = await visit('/#/c/website', look)
    await chat.composer.fill('Yes')
    await chat.page.getByRole('button', { name: 'Send' }).click()
    await expect(chat.bubble('Yes')).toBeInViewport()
    await chat.bubble('Yes').getByRole('button', { name: 'In reply to' }).click()
    await chat.marked('Shall we?')
    await back(chat)
    await expect(chat.bubble('Yes')).toBeInViewport()
    await forward(chat)
    await expect(chat.bubble('Shall we?')).toBeInViewport()

    await chat.page.evaluate((hash) => (location.hash = hash), `#/c/website/${ids[350]}`)
    await chat.marked('Line 349.')
    await expect(chat.timeline.locator('.marked')).toHaveCount(0)
    await chat.timeline.evaluate((node) => node.scrollBy(0, 333))
    await expect.poll(() => chat.seen()).not.toHaveLength(0)
    const [first = ''] = (await chat.seen()).map((text) => /Line \d+\./.exec(text)?.[0] ?? '').slice(1)
    await chat.page.keyboard.press('Control+k')
    await chat.page.getByRole('combobox').fill('"needle 77"')
    // The place that was left: what lies below the search stands still.
    const height = await heightOf(chat.bubble(first))
    await chat.page.getByRole('option', { name: 'Needle 77' }).first().click()
    await chat.marked('Needle 77.')
    await expect(title(chat)).toHaveText('other')
    await back(chat)
    await expect(title(chat)).toHaveText('website')
    await isAt(chat.bubble(first), height)
    await expect(chat.timeline.locator('.marked')).toHaveCount(0)
    expect(await violations(chat.page)).toEqual([])

    await chat.page.getByRole('button', { name: 'Go to a day' }).click()
    await chat.page.getByRole('textbox', { name: 'Go to a day' }).fill('2020-02-29')
    await chat.page.getByRole('button', { name: 'Go', exact: true }).click()
    await expect(chat.bubble('Shall we?')).toBeInViewport()
    await back(chat)
    await isAt(chat.bubble(first), height)
    await forward(chat)
    await expect(chat.bubble('Shall we?')).toBeInViewport()
  })
}

test('[U94] a link to a message is a step, and the conversation that was left is where it was left', async ({
  hub,
  visit,
}) => {
  await hub.recordAll({ website: lines(300), other: lines(2, 'Other') })
  const chat = await visit('/#/c/website')
  await expect(chat.bubble('Line 299.')).toBeInViewport()
  await chat.scrollToTop(chat.bubble('Line 0.'))
  const height = await heightOf(chat.bubble('Line 3.'))
  await chat.list.getByRole('link', { name: 'other' }).click()
  await expect(chat.bubble('Other 1.')).toBeInViewport()
  await chat.bubble('Other 0.').getByTitle('Link to this message').click()
  await chat.marked('Other 0.')
  await back(chat)
  await back(chat)
  await expect(title(chat)).toHaveText('website')
  await isAt(chat.bubble('Line 3.'), height)
})
