import type { Locator, Page } from '@playwright/test'
import { few } from '../support/few.ts'
import { expect, STILL_MS, test } from '../support/fixture.ts'
import { connectOrchestrator } from '../support/orchestrator.ts'
import { arrives, button, clickOn, DANGER, soon, still } from '../support/still.ts'
import { violations } from '../support/violations.ts'
import type { Look } from '../support/windows.ts'

/** What axe finds, which takes its time: it gets as little as it needs. */
async function foundIn(page: Page): Promise<string[]> {
  let isDone = false
  const found = violations(page).finally(() => {
    isDone = true
  })
  while (!isDone) await page.clock.runFor(1)
  return await found
}

const LOOKS: Look[] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, dark: true },
]

for (const look of few(LOOKS, 0)) {
  test(`[U291] [U292] a click 100 ms after a card appeared allows nothing and is told (${look.width} px)`, async ({
    hub,
    visit,
  }) => {
    const { chat, approve, ends } = await still({ hub, visit }, look)
    const call = approve('Bash', DANGER)
    const allow = button(chat, /^Allow once/)
    await expect(allow).toHaveAttribute('aria-disabled', 'true')
    await chat.page.clock.runFor(100)
    for (const name of [/^Allow once/, /^Always allow/, /^Choose for whom/]) {
      await clickOn(chat, button(chat, name))
      await expect(soon(chat)).toBeVisible()
      await chat.page.clock.runFor(4000)
      await expect(soon(chat)).toHaveCount(0)
      await chat.composer.fill(`${await chat.composer.inputValue()}\n`)
      await expect(allow).toHaveAttribute('aria-disabled', 'true')
    }
    await expect(chat.page.getByRole('menu')).toHaveCount(0)
    expect(await ends()).toEqual([])
    await chat.wake()
    await clickOn(chat, allow)
    expect(await call).toEqual(DANGER)
  })
}

test('[U291] keys wait as clicks do: 1 from anywhere, a in the dock, Ctrl+Enter where it is edited', async ({
  hub,
  visit,
}) => {
  const { chat, approve, ends } = await still({ hub, visit })
  const call = approve('Bash', DANGER)
  const allow = button(chat, /^Allow/)
  await expect(allow).toBeVisible()
  await chat.timeline.focus()
  await chat.page.keyboard.press('1')
  await expect(soon(chat)).toBeVisible()
  await chat.wake()
  await button(chat, 'Edit').click()
  await expect(allow).toHaveAttribute('aria-disabled', 'true')
  await chat.page.keyboard.press('Control+Enter')
  await expect(soon(chat)).toBeVisible()
  await chat.wake()
  await button(chat, 'Cancel').click()
  await chat.dock.focus()
  await chat.page.keyboard.press('a')
  expect(await ends()).toEqual([])
  await chat.wake()
  await chat.page.keyboard.press('a')
  await chat.page.clock.runFor(STILL_MS)
  expect(await call).toEqual(DANGER)
})

test('[U291] a card that takes the place of another begins anew, under the very same pointer', async ({
  hub,
  visit,
}) => {
  const { chat, approve, ends, waitNearly } = await still({ hub, visit })
  const first = approve('Read', { path: 'a' })
  await expect(chat.dock).toContainText('wants to use Read')
  const second = approve('Bash', DANGER)
  await arrives(chat, chat.dock.getByText('1 of 2'))
  await chat.wake()
  await clickOn(chat, button(chat, /^Allow once/))
  await first
  await waitNearly()
  await arrives(chat, chat.dock.getByText('wants to use Bash'))
  await waitNearly()
  await clickOn(chat, button(chat, /^Allow once/))
  await expect(soon(chat)).toBeVisible()
  expect(await ends()).toHaveLength(1)
  await chat.wake()
  await clickOn(chat, button(chat, /^Allow once/))
  expect(await second).toEqual(DANGER)
})

test('[U291] a card that moved, or was out of sight, begins anew', async ({ hub, visit }) => {
  const { chat, approve, ends, waitNearly } = await still({ hub, visit })
  void approve('Bash', DANGER).catch(() => {})
  const allow = button(chat, /^Allow once/)
  const looks = (focused: boolean) =>
    chat.page.evaluate((focused) => {
      document.hasFocus = () => focused
      dispatchEvent(new Event(focused ? 'focus' : 'blur'))
    }, focused)
  const surprises = {
    'a jump of the layout': () => chat.composer.fill('One\ntwo\nthree\nfour'),
    'a window that comes to the front': async () => {
      await looks(false)
      await expect(allow).toHaveAttribute('aria-disabled', 'true')
      await chat.page.clock.runFor(5000)
      await expect(allow).toHaveAttribute('aria-disabled', 'true')
      await looks(true)
    },
    'a dialog that closes': async () => {
      await chat.timeline.focus()
      await chat.page.keyboard.press('?')
      await expect(chat.page.getByRole('dialog')).toBeVisible()
      await chat.page.clock.runFor(5000)
      await chat.page.keyboard.press('Escape')
      await expect(chat.page.getByRole('dialog')).toBeHidden()
    },
    'a card that is unfolded': async () => {
      await button(chat, 'Minimise the question').click()
      await expect(allow).toBeHidden()
      await button(chat, 'Open the question').click()
    },
  }
  for (const [what, happens] of Object.entries(surprises)) {
    await chat.wake()
    await happens()
    await expect(allow, what).toHaveAttribute('aria-disabled', 'true')
    await waitNearly()
    await clickOn(chat, allow)
    await expect(soon(chat), what).toBeVisible()
    expect(await ends(), what).toEqual([])
  }
})

test('[U291] the full screen waits on its own', async ({ hub, visit }) => {
  const { chat, approve, ends, waitNearly } = await still({ hub, visit })
  const call = approve('Bash', DANGER)
  await expect(button(chat, /^Allow once/)).toBeVisible()
  await chat.wake()
  await button(chat, 'Show on the full screen').click()
  const allow = chat.page.getByRole('dialog').getByRole('button', { name: /^Allow once/ })
  await expect(allow).toHaveAttribute('aria-disabled', 'true')
  await waitNearly()
  await chat.page.keyboard.press('1')
  await clickOn(chat, allow)
  expect(await ends()).toEqual([])
  await chat.wake(allow)
  await chat.page.keyboard.press('1')
  expect(await call).toEqual(DANGER)
})

test('[U292] nothing moves when Allow wakes or somebody was too soon, and axe finds nothing', async ({
  hub,
  visit,
}) => {
  const { chat, approve } = await still({ hub, visit })
  void approve('Bash', DANGER).catch(() => {})
  await expect(button(chat, /^Allow once/)).toHaveAttribute('aria-disabled', 'true')
  const places = () =>
    chat.dock
      .locator('p, button, dd')
      .evaluateAll((nodes) =>
        nodes
          .filter((node) => node.textContent !== '' && !node.matches('[aria-live]'))
          .map((node) => JSON.stringify(node.getBoundingClientRect())),
      )
  const before = await places()
  await chat.timeline.focus()
  await chat.page.keyboard.press('1')
  await expect(soon(chat)).toBeInViewport({ ratio: 1 })
  expect(await foundIn(chat.page)).toEqual([])
  expect(await places()).toEqual(before)
  await chat.wake()
  expect(await places()).toEqual(before)
})

test('[U293] no single key always allows: a number leads to it, and Enter does it', async ({ hub, visit }) => {
  const { chat, approve, ends } = await still({ hub, visit })
  const call = approve('Write', { path: 'a.ts' })
  await expect(button(chat, /^Allow once/)).toBeVisible()
  await chat.wake()
  await chat.timeline.focus()
  for (let press = 0; press < 3; press++) await chat.page.keyboard.press('2')
  const always = button(chat, /^Always allow/)
  await expect(always).toBeFocused()
  await expect(always.locator('kbd')).toHaveText('↵', { useInnerText: true })
  expect(await ends()).toEqual([])
  await chat.page.keyboard.press('Enter')
  await call
  await expect(chat.timeline).toContainText('Always allowed by you')
})

test('[U293] what the menu of Always offers waits, too: a key that is held down opens it and no more', async ({
  hub,
  visit,
}) => {
  const { chat, approve, ends } = await still({ hub, visit })
  const call = approve('Write', { path: 'a.ts' })
  await expect(button(chat, /^Allow once/)).toBeVisible()
  await chat.wake()
  await button(chat, /^Choose for whom/).focus()
  await chat.page.keyboard.down('Enter')
  const first = chat.page.getByRole('menuitem').first()
  await expect(first).toBeFocused()
  for (let repeat = 0; repeat < 5; repeat++) await chat.page.keyboard.down('Enter')
  await chat.page.keyboard.up('Enter')
  await chat.page.keyboard.press('Enter')
  await expect(soon(chat)).toBeInViewport({ ratio: 1 })
  expect(await foundIn(chat.page)).toEqual([])
  expect(await ends()).toEqual([])
  await chat.wake(first)
  await chat.page.keyboard.press('ArrowDown')
  await chat.page.keyboard.press('ArrowUp')
  await chat.page.keyboard.press('Enter')
  await call
  await expect(chat.timeline).toContainText('Always allowed by you')
})

test('[U291] [U293] what a driven agent offers itself waits as well, unless it refuses', async ({ hub, visit }) => {
  const { chat, waitNearly } = await still({ hub, visit })
  const orchestrator = await connectOrchestrator(hub.url)
  const agent = await orchestrator.drive('work')
  const approval = {
    tool_name: 'edit',
    input: '{"file":"src/a.ts"}',
    options: [
      { id: 'yes', label: 'Yes', kind: 'allow_once' as const },
      { id: 'draft', label: 'As a draft', kind: 'allow_once' as const },
      { id: 'no', label: 'No', kind: 'reject_once' as const },
    ],
  }
  await agent.ask('q1', 'May I?', approval)
  const [yes, draft, no] = ['Yes', 'As a draft', 'No'].map((name) =>
    chat.dock.getByRole('button', { name, exact: true }),
  ) as [Locator, Locator, Locator]
  await expect(yes).toHaveAttribute('aria-disabled', 'true')
  await expect(no).toHaveAttribute('aria-disabled', 'false')
  for (const each of [yes, draft]) await clickOn(chat, each)
  await expect(soon(chat)).toBeVisible()
  await clickOn(chat, no)
  await expect.poll(agent.settled).toEqual(['no'])
  await agent.ask('q2', 'And now?', { ...approval, tool_name: 'delete' })
  await waitNearly()
  await arrives(chat, chat.dock.getByText('wants to use delete'))
  await chat.wake(yes)
  await chat.timeline.focus()
  await chat.page.keyboard.press('2')
  await expect.poll(agent.settled).toEqual(['no', 'draft'])
  await orchestrator.close()
})
