import { expect, test } from 'vitest'
import { FAULTS } from './faults.ts'
import { plantedBuild } from './planted-build.ts'
import { besiege } from './siege.ts'

const SEED = Number(process.env.PARLEY_SEED ?? 0)
const SECONDS = Number(process.env.PARLEY_SECONDS ?? 30)
/** So often chance may miss a fault. */
const MOST_SEEDS = 4
const MOST_MS = 10 * 60_000

test.for(FAULTS)(
  '[R21] a siege finds it out when $what',
  { timeout: MOST_SEEDS * MOST_MS },
  async ({ edits, found, longFreezes }) => {
    const program = await plantedBuild(edits)
    const complaints: string[] = []
    for (let seed = SEED; seed < SEED + MOST_SEEDS; seed++) {
      complaints.push(...(await besiege({ seed, seconds: SECONDS, wholeRound: true, longFreezes, program })).complaints)
      if (complaints.some((complaint) => found.test(complaint))) return
    }
    expect.fail(`Nothing was found out but ${complaints.join('\n') || 'nothing'}`)
  },
)
