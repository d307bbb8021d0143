import config from '../../../playwright.config.ts'
import { findChromium } from '../../../scripts/chromium.mjs'
import { send } from '../support/files.ts'
import { expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

// Only the whole browser has a viewer.
test.use({ launchOptions: { ...config.use?.launchOptions, executablePath: findChromium() } })

test('[F24] a PDF opens in the viewer of the browser, where it can run nothing', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const chat = await visit()
  await send(chat, 'The paper', [{ name: 'paper.pdf', mimeType: 'application/pdf', buffer: pdf() }])
  const answered = chat.page.waitForResponse((answer) => answer.url().includes('/attachments/'))
  const card = chat.timeline.getByRole('button', { name: 'Open paper.pdf' })
  await card.press('Enter')
  const dialog = chat.page.getByRole('dialog', { name: 'paper.pdf' })
  expect((await answered).headers()).toMatchObject({ 'content-type': 'application/pdf' })
  // The viewer is a page of the browser inside the frame.
  await expect.poll(() => chat.page.frames().some((frame) => frame.url().startsWith('chrome-extension:'))).toBe(true)
  await expect(dialog.getByRole('link', { name: 'New tab' })).toHaveAttribute('target', '_blank')
  expect(await violations(chat.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(card).toBeFocused()
})

/** A PDF of one page, as small as they get. */
function pdf(): Buffer {
  const page = '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj'
  const pages = '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj'
  return Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n${pages}\n${page}\ntrailer<</Root 1 0 R>>\n%%EOF`,
  )
}
