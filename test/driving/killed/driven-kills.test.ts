import { expect, test } from 'vitest'
import { SOAK } from '../../log/contract/place.ts'
import { startKillable } from '../../support/driven/killed-runs.ts'
import { seeded } from '../../support/seeded.ts'

const FULL = SOAK > 1
const MESSAGES = FULL ? 500 : 6
const RUNNER_KILLS = FULL ? 200 : 2
const OTHER_KILLS = FULL ? 50 : 1
const TIMEOUT = FULL ? { timeout: 60 * 60_000 } : {}
const SEED = Number(process.env.SEED ?? 1)

test(
  '[O95] however often the orchestrator is killed, its agent sees each message once and in order, and the page shows each answer once',
  TIMEOUT,
  async () => {
    const { sayAll, killRunner, expectOnce } = await startKillable(MESSAGES)
    await sayAll(seeded(SEED), RUNNER_KILLS, killRunner)
    await expectOnce()
  },
)

test(
  '[O96] however often the hub is killed, its agent sees each message once and in order, and the page shows each answer once',
  TIMEOUT,
  async () => {
    const { sayAll, killHub, expectOnce } = await startKillable(MESSAGES)
    await sayAll(seeded(SEED + 1), OTHER_KILLS, killHub)
    expect(await expectOnce()).toBe(0)
  },
)

test(
  '[O97] however often its agent is killed, the next one goes on: each message is seen once and in order, and the page shows each answer once',
  TIMEOUT,
  async () => {
    const { sayAll, killAgent, expectOnce } = await startKillable(MESSAGES)
    await sayAll(seeded(SEED + 2), OTHER_KILLS, killAgent)
    await expectOnce()
  },
)

test(
  '[O98] however often agent, orchestrator and hub are killed, words that were said before are given once more, each once and in order',
  TIMEOUT,
  async () => {
    const { sayAll, killOne, expectOnce } = await startKillable(FULL ? 100 : 6, (n) =>
      n % 2 ? '<continue>' : `<${n}>`,
    )
    await sayAll(seeded(SEED + 3), FULL ? 25 : 3, killOne)
    await expectOnce()
  },
)
