import type { Page } from '@playwright/test'

/** Asked live, like everything that waits for an answer. */
export const CHANGE = {
  tool_name: 'Edit',
  input: {
    file_path: 'src/login.ts',
    old_string: "export function finish() {\n  return redirect('/')\n}",
    new_string:
      "export function finish() {\n  const { returnTo = '/' } = previous.take('login')\n  return redirect(isOurs(returnTo) ? returnTo : '/')\n}",
  },
}

type Take = (page: Page, name: string) => Promise<void>

/** The change in its card with a comment, on the full screen, and its arguments in their fields. */
export async function takeChange(page: Page, name: string, take: Take) {
  const dock = page.getByRole('region', { name: 'Open question' })
  await dock.getByRole('button', { name: 'Next question' }).click()
  await dock.getByRole('button', { name: /^Comment on/ }).focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await page.keyboard.type('What if the session is gone by then?')
  await page.keyboard.press('Control+Enter')
  await take(page, `change-${name}`)
  await dock.getByRole('button', { name: 'Show on the full screen' }).click()
  await page.getByRole('dialog').waitFor()
  await take(page, `full-screen-${name}`)
  await page.keyboard.press('Escape')
  await dock.getByRole('button', { name: 'Edit', exact: true }).click()
  await take(page, `fields-${name}`)
}
