import type { Page } from '@playwright/test'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { few } from '../support/few.ts'
import { type Chat, expect, test } from '../support/fixture.ts'
import { lostIn } from '../support/lost.ts'

const by = 'Claude Code'
const OPTIONS = ['A branch of its own', 'Straight into the release', 'Both'].map((label) => ({ label }))
const said = (text: string): Body => ({ kind: 'message', author: 'assistant', by, text })
const want = (tool_name: string, input: object): Body => ({
  kind: 'question',
  by,
  text: 'May I?',
  approval: { tool_name, input: JSON.stringify(input) },
})
const CONVERSATIONS: Record<string, Body[]> = {
  talk: [{ kind: 'title', title: 'Rewrite the getting started guide' }, said('It is **done**.\n\n- [x] a `test`')],
  asks: [{ kind: 'question', by, text: 'Where shall the change of the login redirect go?', options: OPTIONS }],
  ticks: [{ kind: 'question', by, text: 'Which systems shall it name?', options: OPTIONS, multi_select: true }],
  calls: [
    { kind: 'title', title: 'Push the branch and announce it' },
    want('Bash', { command: 'git push origin fix/login-redirect', description: 'Push the branch' }),
    want('Write', { file_path: 'src/login/redirect.ts', content: 'return redirect(returnTo)' }),
  ],
}

/** At 200 % a window has half as many pixels of CSS; with larger text alone it has all of them, and they hold half as much. */
const LOOKS = [
  { name: '1440 zoomed to 200 %', width: 720, height: 450 },
  { name: '390 zoomed to 200 %', width: 195, height: 422, touch: true },
  { name: '1440 with text of 200 %', width: 1440, height: 900, text: 32 },
  { name: '820 with text of 200 %', width: 820, height: 1100, text: 32 },
  { name: '390 with text of 200 %', width: 390, height: 844, text: 32, touch: true },
] as const

async function enlarge(page: Page, standard: number) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard * 0.8125 } })
}

async function showList({ page, list }: Chat) {
  if (!(await list.isVisible())) await page.getByRole('button', { name: 'Show the conversations' }).click()
}

for (const { name, ...look } of few(LOOKS, 1)) {
  test(`[U471] with text twice as large nothing is clipped or covered, and every button is reached (${name})`, async ({
    hub,
    visit,
  }) => {
    await hub.recordAll(CONVERSATIONS)
    const chat = await visit('/favicon.svg', { ...look, changed: true })
    const { page, dock } = chat
    if ('text' in look) await enlarge(page, look.text)
    const open = async (conversation: string) => {
      await page.goto(`${hub.url}/favicon.svg`)
      await page.goto(`${hub.url}/#/c/${conversation}`)
      await expect(chat.composer).toBeVisible()
    }
    const isWhole = async (screen: string, part = page.locator('body')) =>
      expect.soft(await part.evaluate(lostIn), screen).toEqual([])

    await open('talk')
    await expect(chat.bubble('It is done')).toBeVisible()
    await isWhole('a conversation')
    await page.getByRole('button', { name: 'More about this conversation' }).click()
    await page.getByText('Mute').waitFor()
    await isWhole('the menu of a conversation')
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    await page.getByRole('menuitem', { name: 'JSON' }).waitFor()
    await isWhole('what it is exported as')

    // Where there is no room for both, the timeline gives way.
    const below = page.locator('.dock')
    await open('asks')
    await expect(dock.getByRole('button', { name: 'Both' })).toBeVisible()
    await isWhole('options', below)
    await open('ticks')
    await expect(dock.getByRole('checkbox', { name: 'Both' })).toBeVisible()
    await isWhole('options to tick', below)
    await open('calls')
    await expect(dock).toContainText('wants to use Bash')
    await isWhole('a call', below)
    await dock.getByRole('button', { name: 'Edit' }).click()
    await isWhole('a call that is edited', below)
    await dock.getByRole('button', { name: 'Next question' }).click()
    await expect(dock).toContainText('wants to use Write')
    await isWhole('a new file', below)
    await dock.getByRole('button', { name: 'Show on the full screen' }).click()
    await expect(page.getByRole('dialog')).toContainText('redirect(returnTo)')
    await isWhole('a call on the full screen')

    await open('talk')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('done')
    await expect(page.getByRole('option', { name: /done/ }).first()).toBeVisible()
    await isWhole('the search')
    await page.keyboard.press('Escape')
    await showList(chat)
    await expect(chat.list.getByRole('link')).toHaveCount(4)
    await isWhole('the list')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await page.getByRole('dialog', { name: 'New conversation' }).waitFor()
    await isWhole('a new conversation')
    await page.keyboard.press('Escape')
    await showList(chat)
    await page.getByRole('button', { name: 'Settings' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByRole('button', { name: 'Show all shortcuts' }).waitFor()
    await isWhole('the settings')
    await settings.getByRole('button', { name: 'Show all shortcuts' }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await isWhole('the shortcuts')
    await page.keyboard.press('Escape')
    await showList(chat)
    await page.getByRole('button', { name: /^Answer all/ }).click()
    await page.getByRole('button', { name: 'Skip' }).waitFor()
    await isWhole('answering all', below)
    await isWhole('answering all', page.getByRole('region', { name: 'Answer all' }))
  })
}
