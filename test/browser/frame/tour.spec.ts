import type { Body } from '../../../src/protocol/entries/entry.ts'
import { png } from '../../support/images.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

test.use({ killable: true })

const by = 'claude'
const args = (input: object) => JSON.stringify(input)
const done = (tool_name: string, result: string): Body => ({
  kind: 'tool_result',
  by,
  tool_name,
  result,
  success: true,
})

const TALK: Body[] = [
  { kind: 'title', title: 'Fix the login' },
  {
    kind: 'message',
    author: 'assistant',
    by,
    text: '## Found it\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n```ts\nlet a = 1\n```',
  },
  { kind: 'thinking', by, reasoning: 'Where is it kept?' },
  { kind: 'tool_call', by, tool_name: 'Grep', tool_args: args({ pattern: 'login' }) },
  done('Grep', 'src/login.ts:41'),
  {
    kind: 'tool_call',
    by,
    tool_name: 'Edit',
    tool_args: args({ file_path: 'a.ts', old_string: 'a', new_string: 'b' }),
  },
  done('Edit', 'Updated.'),
  { kind: 'error', by, error: 'The build failed' },
  {
    kind: 'question',
    by,
    text: 'Which **one**?',
    options: [{ label: 'Left', description: 'The old one' }, { label: 'Right' }],
  },
  { kind: 'question', by, text: 'May I?', approval: { tool_name: 'Bash', input: args({ command: 'npm test' }) } },
]
const OTHER: Body[] = [{ kind: 'question', by: 'codex', text: 'Are you there?', quick_replies: ['Yes', 'No'] }]

const lookAt = (width: number, dark: boolean) => ({ width, height: 900, touch: width === 390, dark })
const LOOKS = [
  [lookAt(1440, false), lookAt(390, true)],
  [lookAt(820, false), lookAt(1440, true)],
  [lookAt(390, false), lookAt(820, true)],
]

for (const look of few(LOOKS, 0).flat()) {
  test(`[U21] [U54] every screen works, fits and is accessible at ${look.width} px, ${look.dark ? 'dark' : 'light'}`, async ({
    hub,
    visit,
  }) => {
    test.slow()
    await hub.recordAll({ other: OTHER, website: TALK })
    const chat = await visit('/#/c/website', look)
    const { page, dock, timeline, composer } = chat
    const narrow = look.width < 820
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const openList = async () => {
      if (narrow) await page.getByRole('button', { name: /^Show the conversations/ }).click()
    }

    await test.step('a question with options', async () => {
      await expect(dock.getByRole('button', { name: 'Left' })).toBeVisible()
      await isFine(chat)
      await dock.getByRole('button', { name: 'Left' }).click()
      await chat.sendNow()
      await expect(chat.bubble('Left').getByRole('img', { name: 'Accepted' })).toBeVisible()
    })

    await test.step('an approval, and a permission to take back', async () => {
      await expect(dock).toContainText('Claude wants to use Bash')
      await isFine(chat)
      await dock.getByRole('button', { name: 'Edit' }).click()
      await isFine(chat)
      await dock.getByRole('button', { name: 'Cancel' }).click()
      await dock.getByRole('button', { name: 'Always allow' }).click()
      await expect(dock).toBeHidden()
      await page.getByRole('button', { name: /always allowed/ }).click()
      await expect(page.getByRole('button', { name: /^Take back/ }).last()).toBeVisible()
      await isFine(chat)
      await page.keyboard.press('Escape')
    })

    await test.step('steps, thoughts, changes', async () => {
      const folds = [{ hasText: 'steps' }, { hasText: 'a.ts', hasNotText: 'steps' }, { hasText: 'Thinking' }]
      for (const fold of folds) {
        await timeline.locator('summary').filter(fold).press('Enter')
        // A row that has grown is measured with the next frame, and the others find their place.
        await chat.scroll()
      }
      await expect(timeline.locator('.plain').getByText('Where is it kept?')).toBeVisible()
      await isFine(chat)
    })

    await test.step('words and files', async () => {
      const choosing = page.waitForEvent('filechooser')
      await button('Attach files').click()
      const files = [
        { name: 'shot.png', mimeType: 'image/png', buffer: png(640, 400) },
        { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') },
      ]
      await (await choosing).setFiles(files)
      await expect(page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')).toHaveCount(2)
      await composer.fill('Look at this')
      await isFine(chat)
      await button('Send').click()
      await expect(chat.bubble('Look at this').getByRole('img', { name: 'Accepted' })).toBeVisible()
      await isFine(chat)
      await button('Enlarge shot.png').click()
      await expect(page.getByRole('dialog', { name: 'shot.png' })).toBeVisible()
      await isFine(chat)
      await page.keyboard.press('Escape')
    })

    await test.step('export, days, title', async () => {
      await button('More about this conversation').click()
      await page.getByRole('menuitem', { name: 'Export…' }).click()
      await expect(page.getByRole('menuitem', { name: /^Web page/ })).toBeVisible()
      await isFine(chat)
      await page.keyboard.press('Escape')
      await chat.scrollToTop()
      await timeline.getByRole('button', { name: 'Today' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await isFine(chat)
      await page.keyboard.press('Escape')
      await button('More about this conversation').click()
      await expect(page.getByRole('menu')).toBeVisible()
      await isFine(chat)
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await isFine(chat)
      await page.getByRole('textbox', { name: 'New title' }).fill('Fixed')
      await page.getByRole('textbox', { name: 'New title' }).press('Enter')
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Fixed')
    })

    await test.step('the list, settings and shortcuts', async () => {
      await openList()
      await expect(page.getByText('Needs you')).toBeVisible()
      await isFine(chat)
      await page.getByRole('button', { name: 'Settings' }).click()
      await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
      await isFine(chat)
      await button('Show all shortcuts').click()
      await expect(page.getByRole('dialog', { name: /shortcuts/i })).toBeVisible()
      await isFine(chat)
      await page.keyboard.press('Escape')
    })

    await test.step('search, and to another conversation', async () => {
      if (narrow) await expect(chat.list).toBeVisible()
      await button('Search').click()
      await page.getByRole('combobox').fill('you there')
      await expect(page.getByRole('option')).toHaveCount(1)
      await isFine(chat)
      await page.getByRole('combobox').press('Enter')
      await expect(chat.bubble('Are you there?')).toBeInViewport()
      await expect(dock.getByRole('button', { name: 'Yes' })).toBeVisible()
      await isFine(chat)
    })

    await test.step('the hub goes and comes back', async () => {
      await hub.kill()
      await expect(chat.banner).toContainText('reconnecting')
      await isFine(chat)
      await hub.restart()
      await expect(chat.banner).not.toContainText('reconnecting')
      await dock.getByRole('button', { name: 'Yes' }).click()
      await chat.sendNow()
      await expect(chat.bubble('Yes').getByRole('img', { name: 'Accepted' })).toBeVisible()
    })
  })
}

/** Axe finds nothing, nothing scrolls sideways, and on touch everything is large enough for a finger. */
async function isFine({ page }: Chat) {
  const { width = 0 } = page.viewportSize() ?? {}
  // Between the two, what there is and how it is coloured is as on the wide page.
  if (width !== 820) expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  if (width > 390) return
  const small = await page
    .getByRole('button')
    .evaluateAll((all) =>
      all.filter((button) => button.getBoundingClientRect().height < 44).map((button) => button.outerHTML),
    )
  expect(small).toEqual([])
}
