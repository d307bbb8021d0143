import { test as base, type Chat, expect } from '../support/fixture.ts'
import { connectOrchestrator, type Orchestrator, RUNNER } from '../support/orchestrator.ts'
import { violations } from '../support/violations.ts'

const OTHER = {
  ...RUNNER,
  name: 'shop',
  folder: '/home/ada/a/very/long/way/to/the/folder/of/the/shop',
  agent: 'codex-acp',
}

const test = base.extend<{ orchestrator: Orchestrator }>({
  orchestrator: async ({ hub }, use) => {
    const orchestrator = await connectOrchestrator(hub.url)
    await use(orchestrator)
    await orchestrator.close()
  },
})

const cardIn = ({ page }: Chat) =>
  page.getByRole('region', { name: /^(?:Waiting for an agent|Who should answer here)/ })

async function post(url: string, content: string) {
  const body = JSON.stringify({ mime: 'text/markdown', content, session_id: 'work' })
  await fetch(`${url}/api/tools/ui_chat_human_post`, { method: 'POST', body })
}

test('[U230] where several could answer, a card asks who should, by keyboard too, and goes when one is chosen', async ({
  hub,
  visit,
  orchestrator,
}) => {
  await orchestrator.offer()
  await orchestrator.offer(OTHER)
  await post(hub.url, 'Make the build green')
  const chat = await visit()
  const card = cardIn(chat)
  await expect(card.getByRole('button')).toHaveCount(2)
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) {
      await chat.page.emulateMedia({ colorScheme: scheme })
      await chat.page.setViewportSize({ width, height: 800 })
      expect(await violations(chat.page)).toEqual([])
      await chat.page.screenshot({ path: `screenshots/unanswered-${scheme}-${width}.png` })
    }
  await card.getByRole('button', { name: /shop/ }).focus()
  await chat.page.keyboard.press('Enter')
  await expect(card).toHaveCount(0)
  const { wish } = await orchestrator.drive('work')
  expect(wish).toEqual({ runner: 'shop' })
})

test('[U231] without a runner one sentence says how to start one, and it goes with the first that comes', async ({
  hub,
  visit,
  orchestrator,
}) => {
  await post(hub.url, 'Make the build green')
  const chat = await visit()
  await expect(cardIn(chat)).toContainText('parley run')
  await chat.page.screenshot({ path: 'screenshots/unanswered-nobody.png' })
  await orchestrator.offer()
  await expect(cardIn(chat)).toHaveCount(0)
  expect((await orchestrator.drive('work')).wish).toEqual({ runner: 'api' })
})

test('[U240] the card stays while nobody answers: when one of several ends, and when the last one does', async ({
  hub,
  visit,
  orchestrator,
}) => {
  await orchestrator.offer()
  await orchestrator.offer(OTHER)
  await post(hub.url, 'Make the build green')
  const chat = await visit()
  const card = cardIn(chat)
  await expect(card.getByRole('button')).toHaveCount(2)
  await orchestrator.withdraw('api')
  await expect(card.getByRole('button', { name: /shop/ })).toBeVisible()
  await expect(card.getByRole('button')).toHaveCount(1)
  for (const scheme of ['light', 'dark'] as const)
    for (const width of [1440, 390]) {
      await chat.page.emulateMedia({ colorScheme: scheme })
      await chat.page.setViewportSize({ width, height: 800 })
      expect(await violations(chat.page)).toEqual([])
      await chat.page.screenshot({ path: `screenshots/unanswered-one-left-${scheme}-${width}.png` })
    }
  await orchestrator.withdraw('shop')
  await expect(card).toContainText('parley run')
  await orchestrator.offer(OTHER)
  await expect(card).toHaveCount(0)
})

test('[U240] the only one that is left can be chosen, and gets what was said before', async ({
  hub,
  visit,
  orchestrator,
}) => {
  await orchestrator.offer()
  await orchestrator.offer(OTHER)
  await post(hub.url, 'Make the build green')
  const chat = await visit()
  await expect(cardIn(chat).getByRole('button')).toHaveCount(2)
  await orchestrator.withdraw('api')
  await expect(cardIn(chat).getByRole('button')).toHaveCount(1)
  await cardIn(chat).getByRole('button').click()
  await expect(cardIn(chat)).toHaveCount(0)
  expect((await orchestrator.drive('work')).wish).toEqual({ runner: 'shop' })
})

test('[U241] where the card says that nobody answers, the composer does not speak of an agent', async ({
  hub,
  visit,
}) => {
  await post(hub.url, 'Make the build green')
  const chat = await visit()
  await expect(cardIn(chat)).toBeVisible()
  await expect(chat.page.getByText('Kept until the agent listens')).toHaveCount(0)
})
