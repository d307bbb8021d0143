import { ACP } from '../../support/driven/programs.ts'
import { few } from '../support/few.ts'
import { type Chat, expect } from '../support/fixture.ts'
import { test } from '../support/machine.ts'
import { violations } from '../support/violations.ts'

test.use({ programs: { codex: '', 'codex-acp': `export ACP_AGENT='{"many":1500}'\n${ACP}` } })

const LOOKS = [
  { width: 390, height: 844, touch: true },
  { width: 1440, height: 900, dark: true },
  { width: 820, height: 1000 },
]

const chooserIn = ({ page }: Chat) => page.getByRole('dialog', { name: 'Model' })

async function open(chat: Chat, width: number) {
  if (width < 820) await chat.page.getByRole('button', { name: /^Show the conversations/ }).click()
  await chat.page.getByRole('button', { name: 'New conversation' }).first().click()
  return chat.page.getByRole('dialog', { name: 'New conversation' })
}

for (const look of few(LOOKS, 1))
  test(`[U394] [U491] [O262] each of 1,500 models and commands can be found and chosen, ${look.width} px wide`, async ({
    machine: { linesOf },
    visit,
  }) => {
    const chat = await visit('/', look)
    const start = await open(chat, look.width)
    await start.getByRole('button', { name: 'Choose a folder…' }).click()
    await start.getByRole('button', { name: 'work', exact: true }).click()
    await start.getByRole('button', { name: 'Use work' }).click()
    await start.getByRole('textbox', { name: 'First message' }).fill('Hello')
    await start.getByRole('button', { name: 'Start' }).click()
    await expect(chat.bubble('You said: Hello')).toBeVisible()

    // In the conversation, whose agent is asked.
    const controls = chat.page.getByRole('toolbar', { name: 'Agent' })
    await controls.getByRole('button', { name: 'Model: SMALL' }).click()
    const chooser = chooserIn(chat)
    await expect(chooser.getByRole('status')).toHaveText('1,502 models')
    await expect(chooser.getByRole('option')).toHaveCount(100)
    if (look.touch)
      for (const control of await chooser.locator('button').all())
        expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await violations(chat.page)).toEqual([])
    if (process.env.PARLEY_SHOTS)
      await chat.page.screenshot({ path: `${process.env.PARLEY_SHOTS}/long-list-${look.width}.png` })
    await chooser.getByRole('button', { name: 'Show more' }).click()
    await expect(chooser.getByRole('option')).toHaveCount(200)
    const search = chooser.getByRole('combobox', { name: 'Search models' })
    await search.fill('model-1499')
    await expect(chooser.getByRole('option')).toHaveText([/Model 1499/])
    await search.press('Enter')
    await expect(controls.getByRole('button', { name: 'Model: Model 1499' })).toBeVisible()
    await chat.composer.fill('/command-1498')
    await expect(chat.page.getByRole('option', { name: /^\/command-1498/ })).toBeVisible()
    await chat.composer.press('Enter')
    await expect(chat.composer).toHaveValue(/^\/command-1498\S* $/)
    await chat.composer.fill('And now?')
    await chat.composer.press('ControlOrMeta+Enter')
    await expect(chat.bubble('You said: And now?')).toBeVisible()
    expect(linesOf('begun').at(-1)).toMatchObject({ method: 'session/set_model', modelId: 'maker/model-1499' })

    // For a new one, whose runner has no process any more.
    if (look.width < 820) await chat.page.getByRole('button', { name: /^Show the conversations/ }).click()
    await chat.page.getByRole('button', { name: 'Settings' }).first().click()
    await chat.page.getByRole('button', { name: 'Stop Codex in work' }).click()
    await expect(chat.page.getByText('Agents start when you write to them')).toBeVisible()
    await chat.page.keyboard.press('Escape')
    if (look.width < 820) await chat.page.keyboard.press('Escape')
    const again = await open(chat, look.width)
    await again.getByRole('button', { name: /^Model: / }).click()
    await chooser.getByRole('combobox', { name: 'Search models' }).fill('1498')
    await chooser.getByRole('option', { name: /Model 1498/ }).click()
    await expect(again.getByRole('button', { name: 'Model: Model 1498' })).toBeVisible()
    await again.getByRole('textbox', { name: 'First message' }).fill('With another one')
    await again.getByRole('button', { name: 'Start' }).click()
    await expect(chat.bubble('You said: With another one')).toBeVisible()
    expect(linesOf('begun').at(-1)).toMatchObject({ method: 'session/set_model', modelId: 'maker/model-1498' })
  })
