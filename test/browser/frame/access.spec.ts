import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

test('[U21] the page of a hub where nobody talks yet has no accessibility violation, light and dark', async ({
  visit,
}) => {
  const chat = await visit()
  await expect(chat.page.getByText('Welcome to Parley')).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  await chat.page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(chat.page)).toEqual([])
})

test('[U21] news is announced once, and what is only scrolled into view is not', async ({ hub, connect, visit }) => {
  await hub.say(
    'work',
    Array.from({ length: 40 }, (_, n) => `Line ${n}`),
  )
  const chat = await visit()
  const log = chat.page.getByRole('log')
  await expect(chat.bubble('Line 39')).toBeVisible()
  await chat.scrollUp(1500)
  await expect(chat.bubble('Line 39')).toBeHidden()
  await expect(log).toBeEmpty()
  const agent = await connect('work')
  void agent.ask('Something *new*?').catch(() => {})
  await expect(log).toHaveText(/asks: Something new\?$/)
})
