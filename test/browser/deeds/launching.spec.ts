import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ACP, fakeNpx } from '../../support/driven/programs.ts'
import { type Chat, expect, signInTwo } from '../support/fixture.ts'
import { test } from '../support/machine.ts'
import { violations } from '../support/violations.ts'

test.use({ programs: { codex: '', 'codex-acp': ACP, claude: '' } })

async function openDialog({ page }: Chat) {
  await page.getByRole('main').getByRole('button', { name: 'New conversation' }).click()
  return page.getByRole('dialog', { name: 'New conversation' })
}

test('[U313] a conversation begins with an installed agent, in a folder below the roots, in a new working tree', async ({
  machine: { folder, linesOf },
  visit,
}) => {
  execFileSync('git', ['init', '-q', '-b', 'trunk', folder])
  const as = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  execFileSync('git', ['-C', folder, ...as, 'commit', '-q', '--allow-empty', '-m', 'first'])
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  const dialog = await openDialog(chat)
  await expect(dialog.getByRole('radio', { name: 'Codex' })).toBeChecked()
  const hint = dialog.getByText('Gemini CLI is not installed: npm install -g @google/gemini-cli')
  await expect(hint).toBeHidden()
  await dialog.getByText('7 more, not installed').click()
  await expect(hint).toBeVisible()
  await dialog.getByText('7 more, not installed').click()
  await dialog.getByRole('button', { name: 'Choose a folder…' }).click()
  await dialog.getByRole('button', { name: 'work', exact: true }).click()
  await expect(dialog).toContainText('No folders in it')
  await dialog.getByRole('button', { name: 'Use work' }).click()
  await expect(dialog.getByRole('radio', { name: /work.*trunk/ })).toBeChecked()
  await dialog.getByRole('textbox', { name: 'First message' }).fill('Make it green')
  const start = dialog.getByRole('button', { name: 'Start' })
  await expect(start).toHaveAttribute('aria-disabled', 'false')
  await dialog.getByRole('checkbox', { name: 'In a new git worktree' }).check()
  await expect(start).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('textbox', { name: 'New branch' }).fill('green')
  for (const control of await dialog.locator('button, select, label:has(input), textarea, summary').all())
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await violations(chat.page)).toEqual([])
  await start.click()
  await expect(chat.bubble('Make it green').first()).toBeVisible()
  await expect(chat.bubble('You said:')).toBeVisible()
  expect(linesOf('prompts').map(({ text }) => text)).toEqual(['Make it green'])
  await chat.page.getByRole('button', { name: /Show the conversations/ }).click()
  await chat.page.getByRole('button', { name: 'New conversation' }).click()
  await expect(dialog.getByRole('radio', { name: /green/ })).toBeChecked()
  await expect(dialog.getByRole('combobox', { name: 'Model' })).toBeVisible()
})

test('[U314] [U315] an adapter is fetched after a press on Allow; folders are chosen by keyboard, as far as is allowed', async ({
  machine,
  visit,
}) => {
  mkdirSync(join(machine.folder, 'deep'))
  machine.install('npx', fakeNpx(machine.home, 'claude-agent-acp'))
  const chat = await visit('/', { dark: true })
  const dialog = await openDialog(chat)
  await dialog.getByRole('radio', { name: 'Claude Code needs an adapter' }).check()
  await expect(dialog).toContainText('Claude Code needs @agentclientprotocol/claude-agent-acp 0.99.0, which is fetched')
  expect(await violations(chat.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Allow' }).click()
  await expect(dialog.getByRole('radio', { name: 'Claude Code', exact: true })).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Allow' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Choose a folder…' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'bin', exact: true })).toBeFocused()
  // The home folder is all that is allowed.
  const list = dialog.getByRole('list', { name: 'Folders' })
  await expect(list.getByRole('button')).toHaveText(['bin', 'fetched', 'seen', 'work'])
  await dialog.getByRole('button', { name: 'work', exact: true }).press('Enter')
  const up = list.getByRole('button').first()
  await expect(up).toBeFocused()
  expect(await violations(chat.page)).toEqual([])
  await chat.page.keyboard.press('Escape')
  await expect(dialog.getByRole('button', { name: 'Choose a folder…' })).toBeFocused()
})

test('[U313] who may not administer the hub is shown no agents and no folders', async ({ hub, visit }) => {
  await hub.say('work', ['Hello'])
  const [chat] = await signInTwo(hub, visit)
  await chat.page.getByRole('button', { name: 'New conversation' }).first().click()
  const dialog = chat.page.getByRole('dialog', { name: 'New conversation' })
  await expect(dialog).toContainText('Start an agent in the folder it should work in')
  await expect(dialog).not.toContainText('Codex')
})
