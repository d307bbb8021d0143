import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS: { width: number; height: number; touch?: boolean; dark?: boolean }[] = [
  { width: 1440, height: 900 },
  { width: 820, height: 900, dark: true },
  { width: 390, height: 844, touch: true, dark: true },
]

function want(input: object): Body {
  const approval = { tool_name: 'Bash', input: JSON.stringify(input) }
  return { kind: 'question', by: 'claude', text: 'May I?', approval }
}

const button = (chat: Chat, name: string) => chat.dock.getByRole('button', { name, exact: true })

for (const look of few(LOOKS, 2)) {
  test(`[A87] [U380] a record and the list tell what was allowed, and what was asked is the difference (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    const asked = { command: 'rm -rf build\nrm -rf dist', description: 'Tidy up' }
    await hub.record('work', [{ kind: 'title', title: 'Tidy' }, want(asked)])
    const chat = await visit('/', look)
    const waiting = chat.bubble('Waiting for you')
    await expect(waiting).toContainText('rm -rf build ⏎ rm -rf dist')
    await button(chat, 'Edit').click()
    await chat.dock.getByRole('textbox', { name: 'command', exact: true }).fill('ls build')
    await chat.canAllow()
    await button(chat, 'Allow with changes').click()
    const record = chat.bubble('Allowed with changes by you')
    await expect(record.locator('summary')).toHaveText(/^\s*Bash\s*ls build\s*Allowed with changes by you\s*$/)
    await expect(record).toContainText(/Changed from what was asked:\s*command/)
    await expect(record.locator('.asked + .arguments')).toContainText(/-rm -rf build\s*-rm -rf dist\s*\+ls build/)
    await expect(record.locator('.asked + .arguments')).not.toContainText('Tidy up')
    await expect(record.locator('.asked + .arguments')).toBeInViewport()
    expect(await violations(chat.page)).toEqual([])
    expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    if (look.width < 820) await chat.page.getByRole('button', { name: 'Show the conversations' }).click()
    await expect(chat.list).toContainText('Allowed Bash: ls build')
    await expect(chat.list).not.toContainText('Wants to use')
  })
}
