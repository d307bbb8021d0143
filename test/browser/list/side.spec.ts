import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const handle = ({ page }: Chat) => page.getByRole('separator', { name: 'Width of the sidebar' })
const widthOf = async ({ page }: Chat) =>
  (await page.getByRole('complementary', { name: 'Sidebar' }).boundingBox())?.width

async function drag(chat: Chat, to: number) {
  await handle(chat).hover()
  await chat.page.mouse.down()
  await chat.page.mouse.move(to, 300, { steps: 4 })
  await chat.page.mouse.up()
}

test('[U130] the edge of the sidebar makes it wider, by pointer and by keyboard, within its bounds', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/', { width: 1440, height: 900 })
  await expect(handle(chat)).toBeVisible()
  await expect.poll(() => widthOf(chat)).toBe(312)
  await drag(chat, 400)
  await expect.poll(() => widthOf(chat)).toBe(400)
  await drag(chat, 900)
  await expect.poll(() => widthOf(chat)).toBe(512)
  await drag(chat, 20)
  await expect.poll(() => widthOf(chat)).toBe(240)
  await handle(chat).dblclick()
  await expect.poll(() => widthOf(chat)).toBe(312)
  await handle(chat).focus()
  await chat.page.keyboard.press('ArrowRight')
  await expect.poll(() => widthOf(chat)).toBe(328)
  await expect(handle(chat)).toHaveAttribute('aria-valuenow', '21')
  await chat.page.keyboard.press('End')
  await expect.poll(() => widthOf(chat)).toBe(512)
  await chat.page.keyboard.press('Home')
  await expect(handle(chat)).toHaveAttribute('aria-valuenow', '15')
  await chat.page.keyboard.press('ArrowLeft')
  await expect.poll(() => widthOf(chat)).toBe(240)
  expect(await violations(chat.page)).toEqual([])
})

test('[U131] its width is there before anything is drawn, and nothing moves', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/', { width: 1440, height: 900, changed: true })
  await expect(handle(chat)).toBeVisible()
  await drag(chat, 448)
  await chat.page.addInitScript(() => {
    const widths = new Set<number>()
    Object.assign(globalThis, { widths })
    const look = () => {
      for (const side of document.querySelectorAll('#skeleton ul, aside'))
        widths.add(side.getBoundingClientRect().width)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await chat.page.reload()
  await expect(handle(chat)).toBeVisible()
  expect(await chat.page.evaluate(() => [...(globalThis as unknown as { widths: Set<number> }).widths])).toEqual([448])
  await chat.page.setViewportSize({ width: 840, height: 900 })
  await expect.poll(() => widthOf(chat)).toBe(420)
})
