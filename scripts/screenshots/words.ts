import type { Page } from '@playwright/test'

/** As a person writes in it, which makes it a conversation. */
export const WORDS = 'words'

/** A message that was taken back, and one that was changed. */
export async function reviseWords(page: Page) {
  const articles = page.getByRole('region', { name: 'Messages' }).getByRole('article')
  for (const text of ['Start with the parser', 'Never mind', 'And tell me when the tests are green']) {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    await page.getByRole('button', { name: 'Send' }).click()
    await articles.filter({ hasText: text }).getByRole('img', { name: 'Accepted' }).waitFor()
  }
  await articles.filter({ hasText: 'Never mind' }).getByRole('button', { name: 'Take this message back' }).click()
  await articles.filter({ hasText: 'Taken back' }).waitFor()
}

/** The last one, while it is being changed. */
export async function showChange(page: Page) {
  await page.getByRole('textbox', { name: 'Message' }).press('ArrowUp')
  await page.getByRole('button', { name: 'Change “' }).waitFor()
}
