import type { Page } from '@playwright/test'
import type { HubProcess } from '../../test/browser/support/hub-process.ts'

const REPLIES = {
  'go on': 'Looks good, go on.',
  'tests first': 'Please run all tests first, and tell me what failed.',
  'not now': 'Not now. Leave it as it is, and write down what is left to do.',
}

export async function saveReplies(hub: HubProcess) {
  for (const [name, text] of Object.entries(REPLIES)) await hub.saveReply(name, text)
}

/** Until `taken`: what is typed would be on the other pages, too. */
export async function showReplies(page: Page, taken: () => Promise<void>) {
  const composer = page.getByRole('textbox', { name: 'Message' })
  await composer.fill('/')
  await page.getByRole('option').first().waitFor()
  await taken()
  await composer.fill('')
}
