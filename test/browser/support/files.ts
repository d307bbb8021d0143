import type { Page } from '@playwright/test'
import { type Chat, expect } from './fixture.ts'

export interface GivenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** Picks files as a person does with the button. */
export async function pick(page: Page, files: GivenFile[]) {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await choosing).setFiles(files)
}

/** Says it with these files. */
export async function send(chat: Chat, text: string, files: GivenFile[]) {
  await pick(chat.page, files)
  await expect(chat.page.getByRole('progressbar')).toHaveCount(0)
  await chat.composer.fill(text)
  await chat.page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(chat.bubble(text).getByRole('img', { name: /Accepted|Delivered|Read/ })).toBeVisible()
}
