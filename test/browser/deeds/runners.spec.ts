import { few } from '../support/few.ts'
import { test as base, type Chat, expect } from '../support/fixture.ts'
import { connectOrchestrator, MODELS, MODES, type Orchestrator, RUNNER } from '../support/orchestrator.ts'
import { violations } from '../support/violations.ts'

const PROBLEM = 'gemini wants a login: run gemini once in a terminal and sign in.'

const test = base.extend<{ orchestrator: Orchestrator }>({
  orchestrator: async ({ hub }, use) => {
    const orchestrator = await connectOrchestrator(hub.url)
    await use(orchestrator)
    await orchestrator.close()
  },
})

const dialogIn = ({ page }: Chat) => page.getByRole('dialog', { name: 'New conversation' })
const firstIn = (chat: Chat) => dialogIn(chat).getByRole('textbox', { name: 'First message' })

/** The name of the conversation that is open. */
function shown({ page }: Chat): string {
  return decodeURIComponent(new URL(page.url()).hash.replace('#/c/', ''))
}

test('[U187] a conversation begins with a runner, in a mode, with a model and with a first message', async ({
  hub,
  visit,
  orchestrator,
}) => {
  await hub.say('work', ['Hello'])
  await orchestrator.offer({ ...RUNNER, modes: MODES, models: MODELS })
  const chat = await visit()
  await chat.page.getByRole('button', { name: 'New conversation' }).click()
  const dialog = dialogIn(chat)
  await expect(dialog.getByRole('radio', { name: /api.*\/home\/ada\/api/ })).toBeChecked()
  await dialog.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('Plan')
  await dialog.getByRole('combobox', { name: 'Model' }).selectOption('Opus')
  await firstIn(chat).fill('Make the build green')
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(chat.bubble('Make the build green')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(chat.composer).toBeFocused()
  const { wish } = await orchestrator.drive(shown(chat))
  expect(wish).toEqual({ runner: 'api', mode: 'plan', model: 'opus' })
})

test('[U187] it goes by keyboard alone, from the palette, and what was written stays when it is closed', async ({
  hub,
  visit,
  orchestrator,
}) => {
  await hub.say('work', ['Hello'])
  await orchestrator.offer()
  const chat = await visit()
  await expect(chat.composer).toBeVisible()
  const begin = async () => {
    await chat.page.keyboard.press('Control+k')
    const search = chat.page.getByRole('dialog', { name: 'Search' })
    await search.getByRole('combobox').fill('new conv')
    await expect(search.getByRole('option', { selected: true })).toContainText('New conversation')
    await chat.page.keyboard.press('Enter')
    await expect(firstIn(chat)).toBeFocused()
  }
  await begin()
  await chat.page.keyboard.type('Make it')
  await chat.page.keyboard.press('Escape')
  await expect(dialogIn(chat)).toHaveCount(0)
  await begin()
  await firstIn(chat).press('End')
  await chat.page.keyboard.type(' green')
  await chat.page.keyboard.press('Enter')
  await expect(chat.bubble('Make it green')).toBeVisible()
  await expect(chat.bubble('Hello')).toHaveCount(0)
})

test('[U188] without a runner one sentence says how to start one; one with a problem says it and cannot be chosen', async ({
  visit,
  orchestrator,
}) => {
  const chat = await visit()
  // Where nothing is there yet, the page offers it itself.
  await chat.page.getByRole('main').getByRole('button', { name: 'New conversation' }).click()
  const dialog = dialogIn(chat)
  await expect(dialog).toContainText('in the folder it should work in')
  await expect(dialog).toContainText('parley run --acp')
  await orchestrator.offer({ ...RUNNER, name: 'web', problem: PROBLEM })
  await expect(dialog).toContainText(PROBLEM)
  await expect(dialog.getByRole('radio')).toBeDisabled()
  await firstIn(chat).fill('Go')
  await expect(dialog.getByRole('button', { name: 'Start' })).toHaveAttribute('aria-disabled', 'true')
  await orchestrator.offer()
  await expect(dialog.getByRole('radio', { name: /^api/ })).toBeChecked()
  await orchestrator.withdraw('web')
  await expect(dialog.getByRole('radio')).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'Start' })).toHaveAttribute('aria-disabled', 'false')
})

for (const look of few(
  [
    { width: 390, height: 844, touch: true },
    { width: 390, height: 844, touch: true, dark: true },
  ],
  4,
)) {
  test(`[U189] on a phone it is a sheet at the lower edge, for the thumb${look.dark ? ' (dark)' : ''}`, async ({
    hub,
    visit,
    orchestrator,
  }) => {
    await hub.say('work', ['Hello'])
    await orchestrator.offer({ ...RUNNER, modes: MODES, models: MODELS })
    const chat = await visit('/', look)
    await chat.page.getByRole('button', { name: /Show the conversations/ }).click()
    await chat.page.getByRole('button', { name: 'New conversation' }).click()
    const dialog = dialogIn(chat)
    await expect(dialog).toBeVisible()
    const bottom = async () => {
      const box = await dialog.boundingBox()
      return box && Math.round(box.y + box.height)
    }
    await expect.poll(bottom).toBe(look.height)
    for (const control of await dialog.locator('button, select, label:has(input), textarea').all())
      expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await violations(chat.page)).toEqual([])
    await firstIn(chat).fill('Make it green')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await expect(chat.bubble('Make it green')).toBeVisible()
  })
}
