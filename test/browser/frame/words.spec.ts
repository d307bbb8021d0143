import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 1100, dark: true },
  { width: 390, height: 844, touch: true },
]

const QUESTION: Body = { kind: 'question', by: 'agent', text: 'Well?' }

async function openList({ page }: Chat) {
  const button = page.getByRole('button', { name: /^Show the conversations/ })
  if (await button.isVisible()) await button.click()
}

for (const look of LOOKS) {
  test(`[U431] filter, settings and shortcuts are named as people say it (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    await hub.record('work', [QUESTION])
    const chat = await visit('/', look)
    const { page, list } = chat
    const choose = (name: string) => page.getByRole('radio', { name, exact: true }).check()
    await expect(chat.composer).toBeVisible()
    await openList(chat)
    for (const [filter, says] of [
      ['Needs you', 'Showing: needs you'],
      ['Working', 'Showing: working'],
      ['Unread', 'Showing: unread'],
    ] as const) {
      await page.getByRole('button', { name: 'Arrange the list' }).click()
      await choose(filter)
      await page.keyboard.press('Escape')
      await expect(list.getByRole('button', { name: 'Show all' })).toContainText(says)
      if (filter === 'Working') await expect(list).toContainText('No matches')
    }
    await page.getByRole('button', { name: 'Settings' }).click()
    for (const name of ['Errors', 'Finished turns', 'Agents that stop listening'])
      await expect(page.getByRole('checkbox', { name, exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Show all shortcuts' }).click()
    await expect(page.getByText('Go to the options')).toBeVisible()
  })
}
