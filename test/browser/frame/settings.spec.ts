import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true },
]

const paper = (chat: Chat) => chat.page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const LIGHT = 'rgb(250, 249, 246)'
const DARK = 'rgb(26, 25, 23)'

async function openSettings(chat: Chat, width = 1440) {
  if (width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
  await chat.page.getByRole('button', { name: 'Settings' }).click()
  const dialog = chat.page.getByRole('dialog', { name: 'Settings' })
  await expect(dialog).toBeVisible()
  return dialog
}

for (const look of few(LOOKS, 28)) {
  test(`[U46] the theme is light, dark or the system’s, and stays so (${look.width} px)`, async ({ hub, visit }) => {
    test.slow()
    await hub.say('work', ['Hello'])
    const chat = await visit('/', { ...look, dark: false })
    await expect(chat.bubble('Hello')).toBeVisible()
    const dialog = await openSettings(chat, look.width)
    expect(await violations(chat.page)).toEqual([])
    await dialog.getByText('Dark').click()
    await expect.poll(() => paper(chat)).toBe(DARK)
    expect(await violations(chat.page)).toEqual([])
    await chat.page.reload()
    await expect(chat.bubble('Hello')).toBeVisible()
    expect(await paper(chat)).toBe(DARK)
    expect(await violations(chat.page)).toEqual([])
    await (await openSettings(chat, look.width)).getByText('System').click()
    await expect.poll(() => paper(chat)).toBe(LIGHT)
  })
}

test('[U46] the chosen theme is there before anything is drawn, and every tab follows it', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await chat.page.evaluate(() => localStorage.setItem('parley.theme', 'dark'))
  // The script of the page never comes; what the browser draws until then is what counts.
  await chat.page.route('**/assets/*.js', () => {})
  await chat.page.reload({ waitUntil: 'commit' })
  await expect(chat.page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect.poll(() => paper(chat)).toBe(DARK)
  await chat.page.unroute('**/assets/*.js')
  await chat.page.reload()
  await expect(chat.bubble('Hello')).toBeVisible()
  const other = await chat.page.context().newPage()
  await other.goto(hub.url)
  await other.evaluate(() => localStorage.setItem('parley.theme', 'light'))
  await expect.poll(() => paper(chat)).toBe(LIGHT)
})

test('[U46] the page to sign in has the chosen theme too', async ({ hub, visit }) => {
  const chat = await visit()
  await chat.page.evaluate(() => localStorage.setItem('parley.theme', 'dark'))
  await hub.token('create', 'ada', '--role', 'human')
  await chat.page.goto(await hub.token('link', 'ada'))
  await expect(chat.page.getByRole('button', { name: /sign in/i })).toBeVisible()
  const ink = await chat.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(ink).toBe(DARK)
})

test('[U47] a draft is kept for each conversation, over a reload, until it is sent', async ({ hub, visit }) => {
  await hub.say('one', ['Hello'])
  await hub.say('two', ['Hi'])
  const chat = await visit('/#/c/one')
  await expect(chat.bubble('Hello')).toBeVisible()
  await chat.composer.fill('For the first')
  await chat.list.getByRole('link', { name: 'two' }).click()
  await expect(chat.composer).toHaveValue('')
  await chat.composer.fill('For the second')
  await chat.page.reload()
  await expect(chat.composer).toHaveValue('For the second')
  await chat.composer.press('Enter')
  await expect(chat.bubble('For the second').getByRole('img', { name: 'Accepted' })).toBeVisible()
  await chat.page.reload()
  await expect(chat.bubble('For the second')).toHaveCount(1)
  await expect(chat.composer).toHaveValue('')
  await chat.list.getByRole('link', { name: 'one' }).click()
  await expect(chat.composer).toHaveValue('For the first')
})
