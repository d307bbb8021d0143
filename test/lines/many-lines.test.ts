import { expect, test } from 'vitest'
import { processesOf } from '../../scripts/processes.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { answerAll, expectWhole, openPage, told } from '../support/page.ts'

const LINES = SOAK > 1 ? 50 : 4
const SEEDS = SOAK > 1 ? 5 : 1

test.for(Array.from({ length: SEEDS }, (_, n) => n))(
  `[C48] of ${LINES} lines that start at once on a new folder each is answered, by one hub (seed %i)`,
  { timeout: 120_000 },
  async () => {
    const data = await temporaryFolder()
    const agents = await Promise.all(Array.from({ length: LINES }, (_, n) => start(n)))
    const urls = await Promise.all(agents.map(({ url }) => url))
    expect(new Set(urls).size).toBe(1)
    // One that was started beside it, and found the folder taken, may be about to end.
    await expect.poll(() => hubsOf(data)).toEqual([hubOf(data).pid])
    const page = openPage(urls[0] ?? '')
    answerAll(page, (text) => `re: ${text}`)
    const replies = await Promise.all(agents.map((agent, n) => agent.call({ text: `Question ${n}?` })))
    expect(replies).toEqual(agents.map((_, n) => ({ reply: `re: Question ${n}?` })))
    expect(told(page, 'question')).toHaveLength(LINES)
    expectWhole(page)

    function start(n: number) {
      const era = n % 2 === 0 ? 'modern' : 'legacy'
      return agentOverStdio({ era, env: { PARLEY_DATA: data, PARLEY_SESSION: `agent ${n}` } })
    }
  },
)

function hubsOf(data: string): number[] {
  const hubs = processesOf(data).filter(({ command }) => command.includes('background.js'))
  return hubs.map(({ pid }) => pid)
}
