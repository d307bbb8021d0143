import type { Page } from '@playwright/test'

/** The list in order, its menus, and those who need the person one after the other. Leaves the page as it was. */
export async function takeOrder(page: Page, take: (name: string) => Promise<void>, showList: () => Promise<void>) {
  const menu = page.getByRole('menu')
  await showList()
  await page.getByRole('link', { name: 'Rewrite the getting started guide' }).click({ button: 'right' })
  await menu.waitFor()
  await take('menu')
  await menu.getByRole('menuitem', { name: 'Snooze…' }).click()
  await take('snooze')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Arrange the list' }).click()
  await page.getByRole('radio', { name: 'Agent' }).check()
  await take('arranged')
  await page.getByRole('radio', { name: 'State' }).check()
  await page.keyboard.press('Escape')
  const list = page.getByRole('navigation', { name: 'Conversations' })
  if (!(await list.isVisible())) await showList()
  await list.getByRole('button', { name: /^Answer/ }).click()
  await page.getByRole('region', { name: 'Answer all' }).waitFor()
  await take('triage')
  await page.getByRole('button', { name: 'Done' }).click()
}
