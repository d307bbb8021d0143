import { expect, test } from '../support/fixture.ts'

test('[U25] a browser that is not let in is told so, and a link signs it in', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await expect(chat.bubble('Hello')).toBeVisible()
  await hub.token('create', 'ada', '--role', 'human')
  await expect(chat.page.getByText('This browser is signed out')).toBeVisible()
  await chat.page.goto(await hub.token('link', 'ada'))
  await chat.page.getByRole('button', { name: /sign in/i }).click()
  await expect(chat.bubble('Hello')).toBeVisible()
  await expect(chat.page.getByText('This browser is signed out')).toBeHidden()
})
