import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { type Agent, agentOverStdio, type Era } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { expectWhole, openPage, told, waiting } from '../support/page.ts'
import { seeded } from '../support/seeded.ts'

const SEEDS = SOAK > 1 ? 25 : 1
const seeds = Array.from({ length: SEEDS }, (_, seed) => seed)

test.for(seeds)(
  '[C45] the question of a line that is killed stays open, and its next line gets the reply once (seed %i)',
  async (seed) => {
    const dice = seeded(seed)
    const era = dice.pick<Era>(['legacy', 'modern'])
    const data = await temporaryFolder()
    const other = await start(data, 'other', era)
    const page = openPage((await other.url) ?? '')
    const agent = await start(data, 'work', era)
    const { reply, question } = await waiting(agent, page, 'Deploy?')
    const ended = expect(reply).rejects.toThrow()
    await pause(dice.below(20))
    process.kill(agent.pid, 'SIGKILL')
    await ended
    // A person may be faster than the next line.
    const answered = dice.chance(0.5)
    if (answered) await page.answer(question, 'Yes')
    const next = await start(data, 'work', era)
    const again = next.call(dice.chance(0.5) ? { text: 'Deploy?' } : { text: 'Deploy?', question_id: question })
    if (!answered) await page.answer(question, 'Yes')
    expect(await again).toEqual({ reply: 'Yes' })
    await getsOn(next, page)
    expect(told(page, 'question').map(({ text }) => text)).toEqual(['Deploy?', 'Next?'])
    expectWhole(page)
  },
)

test.for(seeds)('[C46] hub and line killed at once leave the question to their successors (seed %i)', async (seed) => {
  const dice = seeded(seed)
  const era = dice.pick<Era>(['legacy', 'modern'])
  const data = await temporaryFolder()
  const agent = await start(data, 'work', era)
  const page = openPage((await agent.url) ?? '')
  const { reply, question } = await waiting(agent, page, 'Deploy?')
  const ended = expect(reply).rejects.toThrow()
  await pause(dice.below(20))
  const pids = [agent.pid, hubOf(data).pid]
  for (const pid of dice.chance(0.5) ? pids : pids.toReversed()) process.kill(pid, 'SIGKILL')
  await ended
  const next = await start(data, 'work', era)
  const again = next.call(dice.chance(0.5) ? { text: 'Deploy?' } : { text: 'Deploy?', question_id: question })
  await page.answer(question, 'Yes')
  expect(await again).toEqual({ reply: 'Yes' })
  await getsOn(next, page)
  expect(told(page, 'question').map(({ text }) => text)).toEqual(['Deploy?', 'Next?'])
  expectWhole(page)
})

async function start(data: string, name: string, era: Era) {
  const agent = await agentOverStdio({ era, env: { PARLEY_DATA: data, PARLEY_SESSION: name } })
  await agent.url
  return agent
}

/** And nothing that it had comes again. */
async function getsOn(agent: Pick<Agent, 'call'>, page: ReturnType<typeof openPage>) {
  const { reply, question } = await waiting(agent, page, 'Next?')
  await page.answer(question, 'Nothing')
  expect(await reply).toEqual({ reply: 'Nothing' })
}
