import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { expectWhole, openPage, type Page, questionOf, told } from '../support/page.ts'
import { type Dice, seeded } from '../support/seeded.ts'

const AGENTS = SOAK > 1 ? 20 : 5
const SEEDS = SOAK > 1 ? 50 : 1

test.for(Array.from({ length: SEEDS }, (_, n) => n))(
  `[C43] ${AGENTS} agents over lines, whose hub is killed while they ask and while they are answered, each get one answer (seed %i)`,
  { timeout: 90_000 },
  async (seed) => {
    const dice = seeded(seed)
    const data = await temporaryFolder()
    const first = await startAgent(data, 0)
    const page = openPage((await first.url) ?? '')
    await page.started
    const replies = Promise.all(Array.from({ length: AGENTS }, (_, n) => askAs(n)))
    // In the middle of asking: some have asked, some are about to, some have connected or not even that.
    await killWhen(() => told(page, 'question').length)
    await page.until(() => told(page, 'question').length === AGENTS)
    const answers = Promise.all(told(page, 'question').map(({ id, text }) => page.answer(id, `re: ${text}`)))
    // In the middle of answering.
    await killWhen(() => told(page, 'settlement').length)
    expect((await answers).map(({ type }) => type)).toEqual(Array(AGENTS).fill('accepted'))
    const agents = await replies
    // Nothing beside the reply: no call brings what another one had.
    expect(agents.map(({ result }) => result)).toEqual(agents.map(({ text }) => ({ reply: `re: ${text}` })))

    const again = Promise.all(agents.map(({ agent, text }) => agent.call({ text: `${text} And then?` })))
    for (const { text } of agents) await page.answer(await questionOf(page, `${text} And then?`), 'Nothing')
    expect(await again).toEqual(agents.map(() => ({ reply: 'Nothing' })))
    await page.until(() => told(page, 'settlement').length >= 2 * AGENTS)
    const texts = agents.flatMap(({ text }) => [text, `${text} And then?`])
    expect(
      told(page, 'question')
        .map(({ text }) => text)
        .toSorted(),
    ).toEqual(texts.toSorted())
    const settled = told(page, 'settlement').map(({ question }) => question)
    expect(settled.toSorted()).toEqual(told(page, 'question').map(({ id }) => id))
    expectWhole(page)

    async function askAs(n: number) {
      const agent = n === 0 ? first : await startAgent(data, n)
      const text = `Question of agent ${n} in ${seed}?`
      return { agent, text, result: await agent.call({ text }) }
    }

    async function killWhen(count: () => number) {
      await momentOf(dice, page, count)
      process.kill(hubOf(data).pid, 'SIGKILL')
    }
  },
)

function startAgent(data: string, n: number) {
  const era = n % 4 === 0 ? 'legacy' : 'modern'
  return agentOverStdio({ era, env: { PARLEY_DATA: data, PARLEY_SESSION: `agent ${n}` } })
}

/** Once some of these are on the page, and a moment of chance later. */
async function momentOf(dice: Dice, page: Page, count: () => number) {
  const enough = dice.below(AGENTS + 1)
  const laterMs = dice.below(30)
  await page.until(() => count() >= enough)
  await pause(laterMs)
}
