import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { expect } from '../support/fixture.ts'
import { test } from '../support/machine.ts'
import { violations } from '../support/violations.ts'

const said = (text: string): Body => ({ kind: 'message', author: 'assistant', by: 'codex', text })
const begun = (folder: string): Body => ({ kind: 'title', title: 'work', folder }) as Body
const LOOKS = [
  { width: 1440, height: 900 },
  { width: 820, height: 900, dark: true },
  { width: 390, height: 844, touch: true, dark: true },
]

function fill(folder: string) {
  mkdirSync(join(folder, 'src/log'), { recursive: true })
  mkdirSync(join(folder, 'out'))
  const lines = Array.from({ length: 400 }, (_, n) => `export const line${n + 1} = ${n + 1}`)
  writeFileSync(join(folder, 'src/log/search.ts'), lines.join('\n'))
  writeFileSync(join(folder, 'src/search-words.ts'), 'export {}')
  writeFileSync(join(folder, 'out/search.js'), '')
  writeFileSync(join(folder, '.gitignore'), 'out/\n')
  writeFileSync(join(folder, 'image.bin'), Buffer.from([1, 0, 2]))
  execFileSync('git', ['init', '-q', folder])
}

for (const look of LOOKS)
  test(`[F30] an @ in the composer offers files of the folder by name, at ${look.width}`, async ({
    machine: { folder },
    hub,
    visit,
  }) => {
    fill(folder)
    await hub.recordAll({ work: [begun(folder), said('Hello')] })
    const chat = await visit('/#/c/work', look)
    const files = chat.page.getByRole('listbox', { name: 'Files' }).getByRole('option')
    await chat.composer.pressSequentially('See @searc')
    await expect(files).toHaveCount(2)
    await expect(files.first()).toHaveAccessibleName('src/log/search.ts')
    await expect(files.last()).toHaveAccessibleName('src/search-words.ts')
    expect(await violations(chat.page)).toEqual([])
    await chat.composer.press('Escape')
    await expect(files).toHaveCount(0)
    await chat.composer.pressSequentially('h')
    await expect(files).toHaveCount(0)
    await chat.composer.fill('')
    await chat.composer.pressSequentially('See @words')
    await expect(files).toHaveCount(1)
    await chat.composer.press('Tab')
    await expect(chat.composer).toHaveValue('See @src/search-words.ts ')
    await expect(files).toHaveCount(0)
    await chat.composer.pressSequentially('and ada@words')
    await expect(chat.composer).toHaveValue('See @src/search-words.ts and ada@words')
    await expect(files).toHaveCount(0)
  })

for (const look of LOOKS)
  test(`[F33] a path in a text opens the file at its line, at ${look.width}`, async ({
    machine: { folder },
    hub,
    visit,
  }) => {
    fill(folder)
    const text =
      'I changed src/log/search.ts:321, `src/search-words.ts`, `image.bin` and ../elsewhere/x.ts, and/or more.'
    await hub.recordAll({ work: [begun(folder), said(text)] })
    const chat = await visit('/#/c/work', look)
    const links = chat.bubble('I changed').locator('.markdown').getByRole('link')
    await expect(links).toHaveText(['src/log/search.ts:321', 'src/search-words.ts', 'image.bin', '../elsewhere/x.ts'])
    await links.first().click()
    const dialog = chat.page.getByRole('dialog', { name: 'src/log/search.ts' })
    await expect(dialog.getByText('export const line321 = 321')).toBeInViewport()
    await expect(dialog.locator('.wanted')).toHaveText('export const line321 = 321')
    await expect(dialog.locator('.wanted span span').first()).toHaveText('export')
    expect(await violations(chat.page)).toEqual([])
    await chat.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await links.nth(1).press('Enter')
    await expect(chat.page.getByRole('dialog', { name: 'src/search-words.ts' })).toContainText('export {}')
    await chat.page.keyboard.press('Escape')
    await links.nth(2).click()
    await expect(chat.page.getByRole('dialog', { name: 'image.bin' })).toContainText('Binary file,')
    await chat.page.keyboard.press('Escape')
    await links.last().click()
    const refused = chat.page.getByRole('dialog', { name: '../elsewhere/x.ts' })
    await expect(refused).toContainText('../elsewhere/x.ts is outside of the folder of the conversation')
  })
