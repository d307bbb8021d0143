import type { Body } from '../../../src/protocol/entries/entry.ts'
import { png } from '../../support/images.ts'
import { few } from '../support/few.ts'
import { send } from '../support/files.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const by = 'claude'
const wants = (tool_name: string): Body => {
  return { kind: 'question', by, text: 'May I?', approval: { tool_name, input: '{"command":"ls"}' } }
}
const WORK: Body[] = [
  { kind: 'question', by, text: 'Which one?', options: [{ label: 'Left' }, { label: 'Right' }] },
  wants('Bash'),
  wants('Write'),
  wants('Edit'),
  { kind: 'question', by, text: 'What now?' },
]
const PICTURE = { name: 'shot.png', mimeType: 'image/png', buffer: png(640, 400) }

/** Presses Tab until what has this name is in focus. */
async function tabTo({ page }: Chat, name: string) {
  for (let step = 0; step < 60; step++) {
    const focused = await page.evaluate(() => {
      const { ariaLabel, textContent } = document.activeElement ?? {}
      return (ariaLabel ?? textContent ?? '').trim()
    })
    if (focused.startsWith(name)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab never reached ${name}`)
}

test('[U185] a keyboard is enough for everything, and axe finds nothing on the way', async ({ hub, visit }) => {
  test.slow()
  await hub.recordAll({ other: [{ kind: 'message', author: 'assistant', by, text: 'Hello' }], work: WORK })
  const chat = await visit('/#/c/other')
  const { page, dock } = chat
  const { keyboard } = page
  const isFine = async () => expect(await violations(page)).toEqual([])
  const told = async () => (await hub.told('work')).slice(WORK.length)
  await send(chat, 'A picture', [PICTURE])

  await test.step('from the list to a conversation, and a choice by its number', async () => {
    await tabTo(chat, 'work')
    await keyboard.press('Enter')
    await expect(dock).toContainText('Which one?')
    await isFine()
    await keyboard.press('2')
    await chat.sendNow()
    await expect.poll(told).toMatchObject([{ choices: ['Right'] }])
  })

  await test.step('allow, deny with a reason, allow with changes', async () => {
    await expect(dock).toContainText('Bash')
    await keyboard.press('c')
    await expect(chat.composer).toBeFocused()
    await keyboard.press('Escape')
    await expect(dock).toBeFocused()
    await chat.canAllow()
    await keyboard.press('a')
    await expect(dock).toContainText('Write')
    await keyboard.press('d')
    await expect(chat.composer).toBeFocused()
    await keyboard.type('Not here')
    await isFine()
    await keyboard.press('Enter')
    // One of the buttons is called so, too.
    await expect(dock).toContainText('wants to use Edit')
    await tabTo(chat, 'Edit')
    await keyboard.press('Enter')
    await isFine()
    await keyboard.press('Control+End')
    await chat.canAllow()
    await keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await told()).slice(1))
      .toMatchObject([{ outcome: 'approved' }, { outcome: 'denied', reason: 'Not here' }, { outcome: 'approved' }])
  })

  await test.step('an answer in words', async () => {
    await expect(dock).toContainText('What now?')
    await keyboard.type('Go on')
    await keyboard.press('Enter')
    await expect(chat.bubble('Go on')).toBeVisible()
    await expect(dock).toBeHidden()
    await keyboard.press('Escape')
    await expect(chat.timeline).toBeFocused()
    await isFine()
  })

  await test.step('search, and a picture', async () => {
    await keyboard.press('Control+k')
    await keyboard.type('picture')
    await expect(page.getByRole('option', { selected: true })).toContainText('A picture')
    await isFine()
    await keyboard.press('Enter')
    await expect(chat.bubble('A picture')).toBeInViewport()
    await tabTo(chat, 'Enlarge shot.png')
    await keyboard.press('Enter')
    const picture = page.getByRole('dialog', { name: 'shot.png' })
    await expect(picture).toBeVisible()
    await keyboard.press('+')
    await isFine()
    await keyboard.press('Escape')
    await expect(picture).toBeHidden()
  })

  await test.step('export and settings', async () => {
    await tabTo(chat, 'More about this conversation')
    await keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Pin' })).toBeFocused()
    await keyboard.press('End')
    await keyboard.press('ArrowUp')
    await keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: /^Web page/ })).toBeFocused()
    await isFine()
    await keyboard.press('Escape')
    await tabTo(chat, 'Settings')
    await keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
    await isFine()
    await keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })
})

const SMALL = [
  { width: 390, height: 400, touch: true },
  { width: 360, height: 225, touch: false },
]

for (const look of SMALL.flatMap((size, turn) => few([false, true], turn).map((dark) => ({ ...size, dark })))) {
  const size = `${look.width} × ${look.height}, ${look.dark ? 'dark' : 'light'}`

  test(`[U186] every screen fits and can be left where there is little room (${size})`, async ({ hub, visit }) => {
    test.slow()
    await hub.recordAll({ work: WORK, other: [{ kind: 'message', author: 'assistant', by, text: 'Hello' }] })
    const chat = await visit('/#/c/other', look)
    const { page } = chat
    const notes = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes\n\nSome words') }
    await send(chat, 'Files', [PICTURE, notes])
    const menu = page.getByRole('button', { name: /^Show the conversations/ })
    const settings = page.getByRole('button', { name: 'Settings' })
    const screens: Record<string, () => Promise<void>> = {
      picture: () => page.getByRole('button', { name: 'Enlarge shot.png' }).press('Enter'),
      text: () => page.getByRole('button', { name: 'Open notes.md' }).press('Enter'),
      search: () => page.keyboard.press('Control+k'),
      settings: async () => {
        await menu.press('Enter')
        await settings.press('Enter')
        await page.getByRole('dialog', { name: 'Settings' }).waitFor()
      },
    }
    for (const [name, show] of Object.entries(screens)) {
      await test.step(name, async () => {
        await show()
        const dialog = page.getByRole('dialog').last()
        await expect(dialog).toBeVisible()
        // The drawer may be below it.
        const open = await page.getByRole('dialog').count()
        expect(await violations(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(look.width)
        const box = await dialog.boundingBox()
        expect((box?.x ?? -1) >= 0 && (box?.y ?? -1) >= 0 && (box?.height ?? 999) <= look.height).toBe(true)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(open - 1)
      })
    }
  })
}
