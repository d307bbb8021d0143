import type { Page } from '@playwright/test'

interface Shown {
  page: Page
  name: string
}

type Take = (page: Page, name: string) => Promise<void>

/** Asked in one call. */
export const TOGETHER = {
  questions: [
    {
      question: 'I read the whole guide. **Who is it for?**',
      options: [
        { label: 'Newcomers', description: 'Nobody has to know what MCP is' },
        { label: 'People who run agents already', description: 'Shorter, with links to the rest' },
      ],
    },
    {
      question: 'Which systems shall it name?',
      options: [{ label: 'Linux' }, { label: 'macOS' }, { label: 'Windows' }],
      multi_select: true,
    },
    { question: 'And what shall its title be?' },
  ],
}

/** What was tapped, while it can be taken back, and what was scrolled away from. */
export async function takeTapped({ page, name }: Shown, take: Take) {
  await page.getByRole('region', { name: 'Messages' }).hover()
  await page.mouse.wheel(0, -5000)
  await page.getByRole('button', { name: 'Newest' }).waitFor()
  await take(page, `above-${name}`)
  await page.getByRole('button', { name: 'Newest' }).click()
  await page.getByRole('button', { name: 'Both' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
  await take(page, `undo-${name}`)
}

/** One card with steps, and the one block that it becomes. */
export async function takeExchange(pages: Shown[], address: string, take: Take) {
  for (const { page, name } of pages) {
    await page.goto(address)
    const dock = page.getByRole('region', { name: 'Open question' })
    await dock.getByRole('button', { name: 'Newcomers' }).waitFor()
    await take(page, `exchange-${name}`)
    await dock.getByRole('button', { name: 'Newcomers' }).click()
    for (const system of ['Linux', 'macOS']) await dock.getByRole('checkbox', { name: system }).check()
    await dock.getByRole('button', { name: 'Next', exact: true }).click()
    await page.getByRole('textbox', { name: 'Message' }).fill('Three steps to Parley')
    await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
    await dock.getByRole('button', { name: 'Change' }).waitFor()
    await take(page, `exchange-answered-${name}`)
  }
  await pages[0]?.page.getByRole('button', { name: 'Send all' }).click()
  for (const { page, name } of pages) {
    await page.getByRole('region', { name: 'Messages' }).getByText('Three steps to Parley').waitFor()
    await take(page, `exchange-done-${name}`)
  }
}
