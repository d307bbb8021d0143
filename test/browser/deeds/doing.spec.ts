import { few } from '../support/few.ts'
import { type Chat, expect, type Fixtures, test } from '../support/fixture.ts'
import { violations } from '../support/violations.ts'

const LOOKS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844, touch: true, dark: true },
]

const button = (chat: Chat, name: string) => chat.page.getByRole('button', { name, exact: true })
const header = (chat: Chat) => chat.page.locator('header')
const running = (chat: Chat) => chat.timeline.getByRole('group').filter({ hasText: 'npm test' })

/** What moves for ever, as the browser has it. */
function pulsing({ page }: Chat): Promise<number> {
  return page.evaluate(() => {
    const all = document.getAnimations().map(({ effect }) => effect?.getComputedTiming().iterations)
    return all.filter((iterations) => iterations === Infinity).length
  })
}

/** The row of the list, which a phone shows only on demand. */
async function inList(chat: Chat, look: (typeof LOOKS)[number], section: string, says: string) {
  const row = chat.list.getByRole('region', { name: section, exact: true }).getByRole('listitem')
  if (!look.touch) return expect(row).toContainText(says)
  await chat.page.getByRole('button', { name: /Show the conversations/ }).click()
  await expect(row).toContainText(says)
  await chat.page.keyboard.press('Escape')
  await expect(chat.list).toBeHidden()
}

/** An agent that got its reply and uses a tool, at a page where things may move. */
async function atWork({ hub, connect, visit }: Pick<Fixtures, 'hub' | 'connect' | 'visit'>, look = LOOKS[0]) {
  const chat = await visit('/', look)
  await chat.page.emulateMedia({ reducedMotion: 'no-preference' })
  const agent = await connect('work')
  const asked = agent.ask('Begin?')
  await expect(chat.dock).toBeVisible()
  await chat.composer.fill('Yes')
  await chat.composer.press('Control+Enter')
  await asked
  await hub.act('work', 'begins npm test')
  await expect(running(chat)).toContainText('running')
  await expect(header(chat)).toContainText('Working')
  await expect(button(chat, 'Stop')).toBeVisible()
  await expect.poll(() => pulsing(chat)).toBeGreaterThan(2)
  return { chat, agent }
}

for (const look of few(LOOKS, 10)) {
  const kind = `${look.width} px, ${look.dark ? 'dark' : 'light'}`

  test(`[U84] an agent that ended its turn is idle: header and list say so, and nothing pulses or is to be stopped (${kind})`, async ({
    hub,
    connect,
    visit,
  }) => {
    const { chat } = await atWork({ hub, connect, visit }, look)
    await inList(chat, look, 'Working', 'working')
    await hub.act('work', 'ends its turn')
    await expect(header(chat)).toContainText('Idle · last seen just now')
    await expect(button(chat, 'Stop')).toBeHidden()
    await expect.poll(() => pulsing(chat)).toBe(0)
    expect(await violations(chat.page)).toEqual([])
    await inList(chat, look, 'Quiet', 'idle')
    await expect(chat.promise).toHaveText('For the agent’s next turn')
  })

  test(`[U85] from Stop until the agent has heard it everything says Stopping, and nothing pulses (${kind})`, async ({
    hub,
    connect,
    visit,
  }) => {
    const { chat, agent } = await atWork({ hub, connect, visit }, look)
    await button(chat, 'Stop').click()
    await expect(header(chat)).toContainText('Stopping')
    await expect(chat.promise).toHaveText('Stops at the agent’s next call')
    await expect(running(chat)).toContainText('no result yet')
    await expect.poll(() => pulsing(chat)).toBe(0)
    expect(await violations(chat.page)).toEqual([])
    await inList(chat, look, 'Working', 'stopping')
    expect(await agent.call('Next?')).toMatchObject({ status: 'interrupted' })
    await expect(header(chat)).toContainText('Working')
  })
}

test('[U40] an idle agent is stopped by the keys alone', async ({ hub, connect, visit }) => {
  const { chat, agent } = await atWork({ hub, connect, visit })
  await hub.act('work', 'ends its turn')
  await expect(button(chat, 'Stop')).toBeHidden()
  await chat.composer.press('Control+Shift+Enter')
  await expect(header(chat)).toContainText('Stopping')
  expect(await agent.call('Next?')).toMatchObject({ status: 'interrupted' })
})

test.describe(() => {
  test.use({ killable: true })

  for (const look of few(LOOKS, 11)) {
    test(`[U86] while the hub is dead nothing pulses, and no state is claimed (${look.width} px)`, async ({
      hub,
      connect,
      visit,
    }) => {
      const { chat } = await atWork({ hub, connect, visit }, look)
      await hub.kill()
      await expect(chat.banner).toContainText('reconnecting')
      await expect(header(chat)).toContainText('Offline')
      await expect(running(chat)).toContainText('no result yet')
      await expect.poll(() => pulsing(chat)).toBe(0)
      expect(await violations(chat.page)).toEqual([])
      await inList(chat, look, 'Was working', 'offline')
      await hub.restart()
      await expect(header(chat)).toContainText('Not listening', { timeout: 60_000 })
    })
  }
})
