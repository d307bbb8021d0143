import { expect, test } from '../support/fixture.ts'

test('[U20] on a phone the conversations are a drawer, the composer stays visible and nothing scrolls sideways', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.say('older', ['An older conversation'])
  const agent = await connect('work')
  void agent
    .ask('Which one?', ['A rather long quick reply that has to wrap on a phone', 'Short', 'Other'])
    .catch(() => {})
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  await expect(chat.bubble('Which one?')).toBeVisible()
  await expect(chat.list).toBeHidden()
  await expect(chat.composer).toBeInViewport({ ratio: 1 })
  expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  for (const button of await chat.page.getByRole('button').all()) {
    const box = await button.boundingBox()
    expect(box?.height, await button.innerText()).toBeGreaterThanOrEqual(44)
  }
  await chat.page.getByRole('button', { name: 'Show the conversations' }).tap()
  await chat.list.getByRole('link', { name: /older/ }).tap()
  await expect(chat.list).toBeHidden()
  await expect(chat.bubble('An older conversation')).toBeVisible()
})

test('[U20] Escape closes the drawer and gives the focus back', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/', { width: 390, height: 844 })
  const menu = chat.page.getByRole('button', { name: 'Show the conversations' })
  await menu.focus()
  await chat.page.keyboard.press('Enter')
  await expect(chat.list).toBeVisible()
  await chat.page.keyboard.press('Escape')
  await expect(chat.list).toBeHidden()
  await expect(menu).toBeFocused()
})

test('[U20] dark follows the system', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const lightness = async (dark: boolean) => {
    const chat = await visit('/', { dark })
    await expect(chat.bubble('Hello')).toBeVisible()
    return chat.page.evaluate(() => {
      const colours = getComputedStyle(document.body)
      return [colours.backgroundColor, colours.color].map((colour) => Number(/\d+/.exec(colour)?.[0]))
    })
  }
  const [light, dark] = [await lightness(false), await lightness(true)]
  expect(light[0]).toBeGreaterThan(light[1] ?? 0)
  expect(dark[0]).toBeLessThan(dark[1] ?? 0)
})

test('[U20] a keyboard alone is enough to answer, to rename and to change the conversation', async ({
  hub,
  connect,
  visit,
}) => {
  await hub.say('other', ['Hello'])
  const agent = await connect('work')
  const reply = agent.ask('By keyboard?', ['Yes', 'No'])
  const chat = await visit()
  await expect(chat.dock).toBeVisible()
  await tabTo('No')
  await chat.page.keyboard.press('Enter')
  await chat.sendNow()
  expect(await reply).toBe('No')
  await tabTo('More about this conversation')
  await chat.page.keyboard.press('Enter')
  await expect(chat.page.getByRole('menuitem', { name: 'Pin' })).toBeFocused()
  for (const key of ['End', 'ArrowUp', 'ArrowUp', 'Enter']) await chat.page.keyboard.press(key)
  await expect(chat.page.getByRole('textbox', { name: 'New title' })).toBeFocused()
  await chat.page.keyboard.type('New name')
  await chat.page.keyboard.press('Enter')
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('New name')
  await chat.page.keyboard.press('Shift+Tab')
  await tabTo('other')
  await chat.page.keyboard.press('Enter')
  await expect(chat.bubble('Hello')).toBeVisible()

  async function tabTo(name: string) {
    const focused = () =>
      chat.page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '')
    for (let step = 0; step < 40; step++) {
      if ((await focused()).trim().startsWith(name)) return
      await chat.page.keyboard.press('Tab')
    }
    throw new Error(`Tab never reached ${name}`)
  }
})
