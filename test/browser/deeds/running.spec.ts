import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ACP } from '../../support/driven/programs.ts'
import { few } from '../support/few.ts'
import { type Chat, expect } from '../support/fixture.ts'
import { test } from '../support/machine.ts'
import { connectOrchestrator } from '../support/orchestrator.ts'
import { violations } from '../support/violations.ts'

test.use({ programs: { codex: '', 'codex-acp': ACP } })

const LOOKS = [
  { width: 1440, height: 900, dark: true },
  { width: 390, height: 844, touch: true },
  { width: 820, height: 1000 },
]

const openIn = (chat: Chat) => chat.page.getByRole('dialog', { name: 'New conversation' })

/** A conversation with an agent in the only folder that there is. */
async function begin(chat: Chat, words: string) {
  await chat.page.getByRole('main').getByRole('button', { name: 'New conversation' }).click()
  const dialog = openIn(chat)
  await dialog.getByRole('button', { name: 'Choose a folder…' }).click()
  await dialog.getByRole('button', { name: 'work', exact: true }).click()
  await dialog.getByRole('button', { name: 'Use work' }).click()
  await dialog.getByRole('textbox', { name: 'First message' }).fill(words)
  await dialog.getByRole('button', { name: 'Start' }).click()
  await expect(dialog).toHaveCount(0)
}

/** The list of conversations, which is a drawer on a phone. */
async function fromList({ page }: Chat, width: number, name: string) {
  if (width < 820) await page.getByRole('button', { name: /^Show the conversations/ }).click()
  await page.getByRole('button', { name }).first().click()
}

for (const look of few(LOOKS, 1))
  test(`[U374] [U393] running agents are one list, and stopped from there, ${look.width} px wide`, async ({
    machine: { linesOf },
    visit,
  }) => {
    const chat = await visit('/', look)
    await begin(chat, 'do slow 3000')
    await expect(chat.timeline.getByText('word 1')).toBeVisible()
    await fromList(chat, look.width, 'Settings')
    const running = chat.page.getByRole('region', { name: 'Running agents' })
    const one = running.getByRole('listitem')
    await expect(one).toHaveCount(1)
    await expect(one).toContainText('Codex')
    await expect(one).toContainText('work')
    await expect(one).toContainText(/\d+ % CPU/)
    await expect(one).toContainText(/\d+ MB/)
    await expect(one.getByRole('link')).toHaveText('do slow 3000')
    await running.scrollIntoViewIfNeeded()
    expect(await violations(chat.page)).toEqual([])
    if (look.touch)
      for (const control of await running.locator('button, a').all())
        expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    if (process.env.PARLEY_SHOTS)
      await chat.page.screenshot({ path: `${process.env.PARLEY_SHOTS}/running-${look.width}.png` })
    await one.getByRole('button', { name: 'Stop Codex in work' }).click()
    await expect(running).toContainText('Agents start when you write to them')
    await chat.page.keyboard.press('Escape')
    await expect(chat.timeline).toContainText('The turn was stopped')
    if (look.width < 820) await chat.page.keyboard.press('Escape')
    // It has no process any more, and is told what to be when it has one again.
    await expect(chat.page.getByRole('main')).toContainText('Asleep until you write')
    await expect(chat.promise).toHaveText('Wakes the agent')
    const mode = chat.page.getByRole('toolbar', { name: 'Agent' }).getByRole('combobox', { name: 'Mode', exact: true })
    await mode.selectOption('plan')
    await chat.composer.fill('Which mode?')
    await chat.page.getByRole('button', { name: 'Send' }).click()
    await expect(chat.bubble('You said: Which mode?')).toBeVisible()
    await expect(mode).toHaveValue('plan')
    expect(linesOf('begun').at(-1)).toMatchObject({ method: 'session/set_mode', modeId: 'plan' })
  })

test('[U374] [U408] before a ninth agent the dialog says how many there are, and starts it on a second press', async ({
  hub,
  visit,
}) => {
  const chat = await visit('/', { width: 390, height: 844, touch: true, dark: true })
  await begin(chat, 'Hello')
  await expect(chat.bubble('You said:')).toBeVisible()
  const orchestrator = await connectOrchestrator(hub.url)
  for (let n = 1; n <= 8; n++) {
    await hub.say(`other ${n}`, ['Go'])
    const driving = await orchestrator.drive(`other ${n}`)
    await driving.show({ runner: 'Codex in work', state: 'idle' })
  }
  await fromList(chat, 390, 'New conversation')
  const dialog = openIn(chat)
  await dialog.getByRole('textbox', { name: 'First message' }).fill('One more')
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('9 agents are awake already')
  const running = dialog.getByRole('region', { name: 'Running agents' }).getByRole('listitem')
  await expect(running).toHaveCount(1)
  const stop = running.getByRole('button', { name: 'Stop Codex in work, in all 9 conversations' })
  await expect(stop).toHaveText('Stop all 9')
  expect(await violations(chat.page)).toEqual([])
  if (process.env.PARLEY_SHOTS) await chat.page.screenshot({ path: `${process.env.PARLEY_SHOTS}/ninth.png` })
  await dialog.getByRole('button', { name: 'Start one more' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(chat.bubble('One more').first()).toBeVisible()
  await orchestrator.close()
})

test('[U492] nine agents in three folders are stopped at once from a phone, asked once, and it is said which', async ({
  machine: { home, linesOf },
  hub,
  visit,
}) => {
  const chat = await visit('/', { width: 390, height: 844, touch: true })
  for (const name of ['api', 'shop', 'web']) {
    mkdirSync(join(home, name))
    await hub.start(join(home, name), ['do slow 3000', 'do slow 3001', 'do slow 3002'])
  }
  await expect.poll(() => linesOf('prompts').length, { timeout: 60_000 }).toBe(9)
  await fromList(chat, 390, 'Settings')
  const running = chat.page.getByRole('region', { name: 'Running agents' })
  await expect(running.getByRole('listitem').getByRole('link')).toHaveCount(9)
  await running.getByRole('button', { name: 'Stop all', exact: true }).click()
  const sure = running.getByRole('button', { name: 'Stop 9 agents' })
  await expect(sure).toBeFocused()
  await running.scrollIntoViewIfNeeded()
  expect(await violations(chat.page)).toEqual([])
  for (const control of await running.getByRole('alert').locator('button').all())
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  if (process.env.PARLEY_SHOTS) await chat.page.screenshot({ path: `${process.env.PARLEY_SHOTS}/stop-all.png` })
  await running.getByRole('button', { name: 'Cancel' }).click()
  await expect(sure).toHaveCount(0)
  await running.getByRole('button', { name: 'Stop all', exact: true }).click()
  await sure.click()
  await expect(running.getByRole('status')).toHaveText(
    /^Stopped: (Codex in (api|shop|web) \(3 conversations\)(, and |, )?){3}$/,
  )
  await expect(running).toContainText('Agents start when you write to them')
  if (process.env.PARLEY_SHOTS) await chat.page.screenshot({ path: `${process.env.PARLEY_SHOTS}/stopped.png` })
  // Every one had its turn stopped, and none began again.
  for (const { pid } of linesOf('lives')) expect(() => process.kill(Number(pid), 0)).toThrow('ESRCH')
})
