import { type Chat, expect, test } from '../support/fixture.ts'

/** The same page in another tab of the same browser. */
async function openTab({ page }: Chat) {
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  return tab.getByRole('textbox', { name: 'Message' })
}

test('[U95] a draft that is sent in one tab is gone from the other, however it went on there', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/#/c/work')
  await chat.composer.fill('Half a')
  const other = await openTab(chat)
  await expect(other).toHaveValue('Half a')
  await chat.composer.fill('Half a sentence')
  await expect(other).toHaveValue('Half a sentence')
  await chat.composer.press('Enter')
  await expect(chat.bubble('Half a sentence')).toHaveCount(1)
  await expect(other).toHaveValue('')
  await chat.composer.fill('Another')
  await expect(chat.composer).toHaveValue('Another')
  const third = await openTab(chat)
  await expect(third).toHaveValue('Another')
  await third.press('Enter')
  await expect(chat.composer).toHaveValue('')
  await expect(chat.bubble('Another')).toHaveCount(1)
})

test('[U95] a draft that was changed in this tab stays, also over a reload, when the other one is sent', async ({
  hub,
  visit,
}) => {
  await hub.say('work', ['Hello'])
  const chat = await visit('/favicon.svg', { own: true })
  // Whoever typed within the last ten seconds is still at it, and so is everybody here.
  await chat.page.clock.setFixedTime(Date.now())
  await chat.page.goto(`${hub.url}/#/c/work`)
  await expect(chat.composer).toBeVisible()
  const other = await openTab(chat)
  await expect(other).toBeVisible()
  await chat.composer.fill('Yes')
  await expect(other).toHaveValue('Yes')
  await other.fill('Yes, but')
  await expect(chat.composer).toHaveValue('Yes')
  await chat.composer.press('Enter')
  await expect(chat.bubble('Yes')).toHaveCount(1)
  await expect(other.page().getByRole('article').filter({ hasText: 'Yes' })).toHaveCount(1)
  await expect(other).toHaveValue('Yes, but')
  await other.page().reload()
  await expect(other).toHaveValue('Yes, but')
})
