import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { type Agent, agentOverHttp } from '../support/agent.ts'
import { type Restartable, startRestartable } from '../support/faults/restartable.ts'
import { openPage, type Page } from '../support/page.ts'
import { type Dice, seeded } from '../support/seeded.ts'

const AGENTS = SOAK > 1 ? 20 : 5
const SEEDS = SOAK > 1 ? 50 : 1

test.for(Array.from({ length: SEEDS }, (_, n) => n))(
  `[C39] ${AGENTS} agents that wait while the hub is killed each get their own reply, and nothing is doubled (seed %i)`,
  async (seed) => {
    const dice = seeded(seed)
    const hub = await startRestartable()
    const page = openPage(hub.url)
    await page.started
    const replies = Promise.all(Array.from({ length: AGENTS }, (_, n) => insist(hub, n, seed)))
    // In the middle of asking: some have asked, some are about to, some have connected or not even that.
    await killWhen(hub, page, dice, () => questions(page).length)
    await page.until(() => questions(page).length === AGENTS)
    const answers = Promise.all(questions(page).map(({ id, text }) => page.answer(id, `re: ${text}`)))
    // In the middle of answering.
    await killWhen(hub, page, dice, () => settlements(page).length)
    expect((await answers).map(({ type }) => type)).toEqual(Array(AGENTS).fill('accepted'))
    expect(await replies).toEqual(Array.from({ length: AGENTS }, (_, n) => ({ reply: `re: ${textOf(n, seed)}` })))

    await page.until(() => settlements(page).length >= AGENTS)
    expect(
      questions(page)
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(Array.from({ length: AGENTS }, (_, n) => textOf(n, seed)).toSorted())
    expect(settlements(page).toSorted()).toEqual(
      questions(page)
        .map(({ id }) => id)
        .toSorted(),
    )
    const ids = page.entries.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted())
    expect(page.resumed.every(Boolean)).toBe(true)
  },
)

/** An agent that calls again whenever its call fails, as models do. */
async function insist(hub: Restartable, n: number, seed: number) {
  const era = n % 4 === 0 ? 'legacy' : 'modern'
  for (;;) {
    let agent: Agent | undefined
    try {
      agent = await hub.orGone(agentOverHttp(hub.url, { era, session: `agent ${n}` }))
      return await hub.orGone(agent.call({ text: textOf(n, seed) }))
    } catch {
      // Whatever became of it: the question is where it was.
      void agent?.client.close().catch(() => {})
      await hub.up()
    }
  }
}

/** Once so many of these are on the page, and a moment of chance later. */
async function killWhen({ kill }: Restartable, page: Page, dice: Dice, count: () => number) {
  const enough = dice.below(AGENTS + 1)
  const laterMs = dice.below(30)
  await page.until(() => count() >= enough)
  await pause(laterMs)
  await kill()
}

function textOf(n: number, seed: number): string {
  return `Question of agent ${n} in ${seed}?`
}

function questions({ entries }: Page) {
  return entries.flatMap(({ id, body }) => (body.kind === 'question' ? [{ id, text: body.text }] : []))
}

function settlements({ entries }: Page) {
  return entries.flatMap(({ body }) => (body.kind === 'settlement' ? [body.question] : []))
}
