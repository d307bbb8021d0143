import type { Body } from '../../../src/protocol/entries/entry.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const said = (by: string, text: string): Body => ({ kind: 'message', author: 'assistant', by, text })
const call = (command: string): Body => {
  return { kind: 'tool_call', by: 'claude', tool_name: 'Bash', tool_args: JSON.stringify({ command }) }
}
const PHONE = { width: 390, height: 844, touch: true, dark: true }

function paletteOn({ page }: Chat) {
  const dialog = page.getByRole('dialog', { name: 'Search' })
  return {
    dialog,
    input: dialog.getByRole('combobox'),
    group: (name: string) => dialog.getByRole('group', { name }).getByRole('option'),
    groups: dialog.getByRole('listbox').getByRole('group'),
    chip: (name: string) => dialog.getByRole('button', { name, exact: true }),
    active: dialog.getByRole('option', { selected: true }),
    async open() {
      await expect(page.getByRole('textbox', { name: 'Message' })).toBeAttached()
      await page.keyboard.press('Control+k')
    },
  }
}

const TALKS = {
  deployment: [said('claude', '**Deploy** the `website`'), call('./deploy.sh'), call('deploy --now')],
  shop: [said('gemini', 'Shall I deploy the shop?'), { kind: 'question', by: 'gemini', text: 'Deploy?' } as Body],
}

test('[X27] conversations and commands come first, then words, then tools, which open', async ({ hub, visit }) => {
  await hub.recordAll(TALKS)
  const chat = await visit('/#/c/shop')
  const { dialog, input, group, groups, open, active } = paletteOn(chat)
  await open()
  await expect(input).toBeFocused()
  await expect(group('Conversations')).toHaveText(['shop', 'deployment'])
  await expect(group('Commands').filter({ hasText: 'Settings' })).toBeVisible()
  await expect(group('Commands').filter({ hasText: 'Stop the agent' })).toHaveCount(0)
  await expect(group('Messages')).toHaveCount(0)
  await input.fill('deploy')
  await expect(group('Messages')).toHaveCount(3)
  await expect(groups).toHaveCount(3)
  await expect(group('Conversations')).toHaveText(['deployment'])
  await expect(group('Messages').last()).toHaveText(/Claude\s+deployment\s+now\s+Deploy the website/)
  await expect(group('Tools')).toHaveText(['Show what agents did (2)'])
  for (let n = 0; n < 4; n++) await input.press('ArrowDown')
  await expect(active).toHaveText('Show what agents did (2)')
  await input.press('Enter')
  await expect(group('Tools')).toHaveText(['Hide what agents did', /Bash deploy --now/, /Bash .\/deploy.sh/])
  await expect(input).toBeFocused()
  expect(await violations(chat.page)).toEqual([])
  await input.press('Home')
  for (let n = 0; n < 4; n++) await input.press('ArrowUp')
  await input.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('deployment')
})

test('[X27] a conversation that is not in the list is found by its name', async ({ hub, visit }) => {
  const many = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`talk ${n}.`, [said('claude', 'Hello')]]))
  await hub.recordAll(many)
  const chat = await visit()
  const { input, group, open } = paletteOn(chat)
  await open()
  await expect(chat.list.getByRole('link', { name: 'talk 0.' })).toHaveCount(0)
  await input.fill('talk 0.')
  await expect(group('Conversations').filter({ hasText: 'talk 0.' })).toHaveCount(1)
  await group('Conversations').filter({ hasText: 'talk 0.' }).click()
  await expect(chat.page.getByRole('heading', { level: 1 })).toHaveText('talk 0.')
})

test('[X28] chips show only a kind, some days or one agent, and are reached by keyboard', async ({ hub, visit }) => {
  await hub.recordAll(TALKS)
  const chat = await visit()
  const { dialog, input, group, groups, chip, open } = paletteOn(chat)
  await open()
  await expect(chip('Gemini')).toBeVisible()
  await input.press('Tab')
  await expect(chip('Messages')).not.toBeFocused()
  await chat.page.keyboard.press('Tab')
  await expect(chip('Messages')).toBeFocused()
  await chat.page.keyboard.press('Tab')
  await chat.page.keyboard.press('Enter')
  await expect(chip('Questions')).toHaveAttribute('aria-pressed', 'true')
  await expect(group('Messages')).toHaveText([/Deploy\?/])
  await expect(groups).toHaveCount(1)
  await chip('Tools').click()
  await expect(group('Tools')).toHaveCount(3)
  await expect(group('Messages')).toHaveCount(0)
  await input.fill('now')
  await expect(group('Tools')).toHaveCount(2)
  await chip('Tools').click()
  await input.fill('')
  await chip('Today').click()
  await chip('Gemini').click()
  await expect(group('Messages')).toHaveCount(2)
  await chip('Files').click()
  await expect(dialog.getByText('No matches.')).toBeVisible()
  expect(await violations(chat.page)).toEqual([])
  await chat.page.keyboard.press('Escape')
  // At once: that the first one was closed is said a moment later, and must not close the next.
  await open()
  await expect(chip('Files')).toHaveAttribute('aria-pressed', 'true')
})

test('[X28] on a phone it fills the screen, and chips are large enough for a finger', async ({ hub, visit }) => {
  await hub.recordAll(TALKS)
  const chat = await visit('/', PHONE)
  const { dialog, input, group, chip, open } = paletteOn(chat)
  await open()
  await expect(chip('Gemini')).toBeVisible()
  await input.fill('deploy')
  await expect(group('Messages')).toHaveCount(3)
  expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: PHONE.width, height: PHONE.height })
  for (const target of await dialog.getByRole('button').all())
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await violations(chat.page)).toEqual([])
  expect(await chat.page.evaluate(() => document.documentElement.scrollWidth)).toBe(PHONE.width)
})

test('[X29] a command does what its keys do', async ({ hub, visit }) => {
  await hub.recordAll(TALKS)
  const chat = await visit('/#/c/deployment')
  const { page } = chat
  const { dialog, input, group, open } = paletteOn(chat)
  const run = async (words: string) => {
    await open()
    await input.fill(words)
    await expect(group('Commands')).toHaveCount(1)
    await input.press('Enter')
    await expect(dialog).toBeHidden()
  }
  await open()
  await expect(group('Commands').filter({ hasText: 'Next conversation' }).first()).toContainText('Alt')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await run('settings')
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await expect(settings).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(settings).toBeHidden()
  await run('light, dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await run('rename this')
  await expect(page.getByRole('textbox', { name: 'New title' })).toBeFocused()
  await page.keyboard.press('Escape')
  await run('export this')
  await expect(page.getByRole('menuitem', { name: 'Markdown' })).toBeVisible()
  await page.keyboard.press('Escape')
  await run('needs you')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('shop')
  await run('write a')
  await expect(chat.composer).toBeFocused()
})
