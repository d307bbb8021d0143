import type { Locator } from '@playwright/test'
import { png } from '../../support/images.ts'
import { type GivenFile, send } from '../support/files.ts'
import { type Chat, expect, type Fixtures, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const picture = (name: string): GivenFile => ({ name, mimeType: 'image/png', buffer: png(640, 400) })

/** A conversation with three pictures in two messages, and the second of them enlarged. */
async function enlarged({ hub, visit }: Pick<Fixtures, 'hub' | 'visit'>, look = {}) {
  await hub.say('work', ['Hello'])
  const chat = await visit('/', look)
  await send(chat, 'Before', [picture('one.png'), picture('two.png')])
  await send(chat, 'After', [picture('three.png')])
  const two = chat.timeline.getByRole('button', { name: 'Enlarge two.png' })
  await two.scrollIntoViewIfNeeded()
  // What is clicked while it still scrolls is missed by the browser.
  await chat.scroll()
  await two.click()
  const dialog = chat.page.getByRole('dialog')
  const image = dialog.getByRole('img')
  await expect(image).toHaveAccessibleName('two.png')
  return { chat, dialog, image, place: dialog.getByRole('status') }
}

async function boxOf(image: Locator) {
  return (await image.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
}

const widthOf = async (image: Locator) => (await boxOf(image)).width

/** Fingers that go from here to there at this time, as the browser tells a page. */
async function fingers({ page }: Chat, moves: { x: number; y: number }[][], at = Date.now()) {
  const session = await page.context().newCDPSession(page)
  const timestamp = at / 1000
  const [start = [], ...rest] = moves
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: start, timestamp })
  for (const touchPoints of rest)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints, timestamp })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp })
}

test('[U180] a picture is zoomed by buttons, keys, the wheel and a double click, and is dragged', async ({
  hub,
  visit,
}) => {
  const { chat, dialog, image } = await enlarged({ hub, visit })
  const { keyboard, mouse } = chat.page
  await expect.poll(() => widthOf(image)).toBe(640)
  const fitting = await boxOf(image)
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(() => widthOf(image)).toBeCloseTo(960)
  expect(await violations(chat.page)).toEqual([])
  await keyboard.press('+')
  await expect.poll(() => widthOf(image)).toBeCloseTo(1440)
  await keyboard.press('-')
  await dialog.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(() => boxOf(image)).toEqual(fitting)
  const [x, y] = [fitting.x + 100, fitting.y + 100]
  await mouse.move(x, y)
  await mouse.wheel(0, -1000)
  await expect.poll(() => widthOf(image)).toBeGreaterThan(1280)
  const close = await boxOf(image)
  // What was below the pointer still is.
  expect((x - close.x) / close.width).toBeCloseTo(100 / 640, 2)
  await mouse.down()
  await mouse.move(x + 50, y + 40, { steps: 4 })
  await mouse.up()
  const way = async () => {
    const dragged = await boxOf(image)
    return [dragged.x - close.x, dragged.y - close.y]
  }
  await expect.poll(way).toEqual([50, 40])
  const dragged = await boxOf(image)
  await keyboard.press('ArrowRight')
  await expect.poll(async () => (await boxOf(image)).x).toBe(dragged.x - 80)
  await keyboard.press('0')
  await expect.poll(() => boxOf(image)).toEqual(fitting)
  await mouse.dblclick(x, y)
  await expect.poll(() => widthOf(image)).toBeCloseTo(1600)
  await mouse.dblclick(x, y)
  await expect.poll(() => boxOf(image)).toEqual(fitting)
  await expect(dialog).toBeVisible()
  await mouse.click(5, 400)
  await expect(dialog).toBeHidden()
})

test('[U181] arrows lead to the other pictures of the conversation, and it says which of how many', async ({
  hub,
  visit,
}) => {
  const { chat, dialog, image, place } = await enlarged({ hub, visit })
  const previous = dialog.getByRole('button', { name: 'Previous image' })
  const next = dialog.getByRole('button', { name: 'Next image' })
  await expect(place).toHaveText(/two\.png,\s+2 of 3/)
  await chat.page.keyboard.press('ArrowRight')
  await expect(image).toHaveAccessibleName('three.png')
  await expect(dialog).toHaveAccessibleName('three.png')
  await expect(place).toHaveText(/3 of 3/)
  await expect(next).toHaveAttribute('aria-disabled', 'true')
  await chat.page.keyboard.press('ArrowRight')
  await expect(image).toHaveAccessibleName('three.png')
  expect(await violations(chat.page)).toEqual([])
  await previous.click()
  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  await previous.click()
  await expect(image).toHaveAccessibleName('one.png')
  await expect.poll(() => widthOf(image)).toBe(640)
  await expect(place).toHaveText(/1 of 3/)
  await chat.page.goBack()
  await expect(dialog).toBeHidden()
})

test('[U180] [U181] on a phone fingers pinch, drag, swipe and tap twice', async ({ hub, visit }) => {
  const { chat, dialog, image } = await enlarged({ hub, visit }, { width: 390, height: 844, touch: true })
  const fitting = await boxOf(image)
  const middle = { x: 195, y: fitting.y + fitting.height / 2 }
  const beside = (by: number) => ({ x: middle.x + by, y: middle.y })
  await fingers(chat, [[beside(80)], [beside(20)], [beside(-60)]])
  await expect(image).toHaveAccessibleName('three.png')
  await fingers(chat, [
    [beside(-30), beside(30)],
    [beside(-45), beside(45)],
    [beside(-60), beside(60)],
  ])
  await expect.poll(async () => (await boxOf(image)).width / fitting.width).toBeCloseTo(2, 1)
  const close = await boxOf(image)
  await fingers(chat, [[beside(0)], [beside(20)], [beside(40)]])
  await expect.poll(async () => (await boxOf(image)).x).toBeCloseTo(close.x + 40)
  await expect(image).toHaveAccessibleName('three.png')
  const now = Date.now()
  for (const at of [now, now + 100]) await fingers(chat, [[middle]], at)
  await expect.poll(() => boxOf(image)).toEqual(fitting)
  for (const button of await dialog.getByRole('button').all())
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
})

test('[U181] nothing moves while a picture loads', async ({ hub, visit }) => {
  const { chat, image } = await enlarged({ hub, visit })
  const arrived = Promise.withResolvers<void>()
  await chat.page.route('**/attachments/**', async (route) => {
    await arrived.promise
    await route.continue()
  })
  await image.evaluate((node: HTMLImageElement) => (node.src += '?slow'))
  const before = await boxOf(image)
  expect([before.width, before.height]).toEqual([640, 400])
  arrived.resolve()
  await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.complete)).toBe(true)
  expect(await boxOf(image)).toEqual(before)
})
