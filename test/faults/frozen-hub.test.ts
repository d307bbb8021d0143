import { expect, test } from 'vitest'
import { processesOf } from '../../scripts/processes.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { expectWhole, openPage, questionOf, told } from '../support/page.ts'
import { seeded } from '../support/seeded.ts'

const SEEDS = SOAK > 1 ? 20 : 1
const AGENTS = SOAK > 1 ? 6 : 4

/** When an agent asks: before the hub is frozen, while it is and nobody knows, when its line knows, in a line of then. */
const MOMENTS = ['before', 'unnoticed', 'noticed', 'late'] as const
const ENDINGS = ['SIGCONT', 'SIGKILL'] as const
const CASES = ENDINGS.flatMap((signal) => Array.from({ length: SEEDS }, (_, seed) => ({ signal, seed })))

test.for(CASES)(
  '[C44] of a hub that is frozen until $signal there is no second one, and every call gets its reply once (seed $seed)',
  { timeout: 120_000 },
  async ({ signal, seed }) => {
    const dice = seeded(seed)
    const data = await temporaryFolder()
    // At least one of each, so that no moment is left out.
    const moments = Array.from({ length: AGENTS }, (_, n) => MOMENTS[n] ?? dice.pick(MOMENTS))
    const early = await Promise.all(moments.map((moment, n) => (moment === 'late' ? undefined : start(n))))
    const page = openPage((await early[0]?.url) ?? '')
    await page.started
    const calls: Promise<unknown>[] = []
    ask('before')
    await page.until(() => told(page, 'question').length === moments.filter((moment) => moment === 'before').length)
    const { pid } = hubOf(data)
    process.kill(pid, 'SIGSTOP')
    ask('unnoticed')
    const silence = new RegExp(`^The hub \\(process ${pid}\\) does not answer`, 'm')
    await Promise.all(early.map((agent) => agent?.said(silence)))
    ask('noticed')
    const late = Promise.all(moments.map((moment, n) => (moment === 'late' ? start(n) : undefined)))
    expect(hubsIn(data)).toEqual([pid])

    process.kill(pid, signal)
    for (const [n, agent] of (await late).entries()) if (agent) calls[n] = agent.call({ text: textOf(n) })
    for (const n of moments.keys()) await page.answer(await questionOf(page, textOf(n)), `re: ${textOf(n)}`)
    expect(await Promise.all(calls)).toEqual(moments.map((_, n) => ({ reply: `re: ${textOf(n)}` })))
    expect(hubsIn(data)).toEqual([hubOf(data).pid])
    expect(hubOf(data).pid === pid).toBe(signal === 'SIGCONT')
    await page.until(() => told(page, 'settlement').length >= AGENTS)
    expect(told(page, 'question')).toHaveLength(AGENTS)
    expect(told(page, 'settlement')).toHaveLength(AGENTS)
    expectWhole(page)
    // Named once, however long it was.
    for (const agent of early) expect(agent?.stderr().match(/does not answer/g)?.length ?? 1).toBe(1)

    function start(n: number) {
      return agentOverStdio({
        era: n % 2 === 0 ? 'modern' : 'legacy',
        env: { PARLEY_DATA: data, PARLEY_SESSION: `agent ${n}` },
      })
    }

    function ask(now: (typeof MOMENTS)[number]) {
      for (const [n, moment] of moments.entries())
        if (moment === now) calls[n] = early[n]?.call({ text: textOf(n) }) ?? Promise.reject()
    }
  },
)

function textOf(n: number): string {
  return `Question of agent ${n}?`
}

function hubsIn(data: string): number[] {
  const hubs = processesOf(data).filter(({ command }) => command.includes('background.js'))
  return hubs.map(({ pid }) => pid)
}
