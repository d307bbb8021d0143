import { execFileSync } from 'node:child_process'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { ACP } from '../../support/driven/programs.ts'
import { few } from '../support/few.ts'
import { expect } from '../support/fixture.ts'
import { test } from '../support/machine.ts'
import { violations } from '../support/violations.ts'

test.use({ programs: { codex: '', 'codex-acp': ACP } })

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 1000, dark: true },
  { width: 390, height: 844, touch: true },
]

for (const look of few(LOOKS, 1))
  test(`[U372] folder and branch are in header and list, context and cost below what is written, ${look.width} px wide`, async ({
    machine: { folder },
    visit,
  }) => {
    execFileSync('git', ['init', '-q', '-b', 'trunk', folder])
    const chat = await visit('/', look)
    const { page, list } = chat
    await page.getByRole('main').getByRole('button', { name: 'New conversation' }).click()
    const dialog = page.getByRole('dialog', { name: 'New conversation' })
    await dialog.getByRole('button', { name: 'Choose a folder…' }).click()
    await dialog.getByRole('button', { name: 'work', exact: true }).click()
    await dialog.getByRole('button', { name: 'Use work' }).click()
    await dialog.getByRole('textbox', { name: 'First message' }).fill('do usage')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await expect(chat.bubble('spent')).toBeVisible()
    const header = page.locator('main header')
    await expect(header.getByText('work · trunk')).toBeInViewport({ ratio: 1 })
    await expect(header.getByTitle(`${folder} · trunk`)).toBeVisible()
    const controls = page.getByRole('toolbar', { name: 'Agent' })
    await expect(controls).toContainText('1 %')
    await expect(controls.getByTitle('1.2K of 200K tokens of context · $0.25 so far')).toContainText('$0.25')
    expect(await violations(page)).toEqual([])
    if (process.env.PARLEY_SHOTS) await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/place-${look.width}.png` })
    if (look.width < 820) await page.getByRole('button', { name: /^Show the conversations/ }).click()
    await expect(list.getByText('work · trunk')).toBeInViewport({ ratio: 1 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
    if (process.env.PARLEY_SHOTS) await page.screenshot({ path: `${process.env.PARLEY_SHOTS}/list-${look.width}.png` })
  })

const by = 'codex'
const edited = (call_id: string, path: string, new_text: string): Body[] => [
  { kind: 'tool_call', by, tool_name: 'edit', tool_args: '{}', call_id, title: 'Editing' },
  {
    kind: 'tool_result',
    by,
    tool_name: 'edit',
    result: '',
    success: true,
    call_id,
    changes: [{ path, old_text: 'one\ntwo\n', new_text }],
  },
]

test('[U373] steps name their files and what came and went, alone and together', async ({ hub, visit }) => {
  const long = Array.from({ length: 3000 }, (_, n) => `line ${n}`).join('\n')
  await hub.recordAll({
    work: [
      ...edited('a', '/home/ada/shop/src/till.ts', 'one\n2\n'),
      ...edited('b', '/home/ada/shop/src/prices.ts', 'one\ntwo\nthree\n'),
      ...edited('c', '/home/ada/shop/long.txt', long),
      { kind: 'message', author: 'assistant', by, text: 'Done' },
    ],
  })
  const chat = await visit()
  const run = chat.timeline.locator('summary', { hasText: '3 steps' })
  await expect(run).toContainText('till.ts, prices.ts, long.txt')
  await expect(run).toContainText('+3002 −3')
  await run.click()
  const step = chat.timeline.locator('summary', { hasText: 'Editing' })
  await expect(step.nth(0)).toContainText('till.ts')
  await expect(step.nth(0)).toContainText('+1 −1')
  await expect(step.nth(2)).toContainText('+3000 −2')
  if (process.env.PARLEY_SHOTS) await chat.page.screenshot({ path: `${process.env.PARLEY_SHOTS}/steps.png` })
})
