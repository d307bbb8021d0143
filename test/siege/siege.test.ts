import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { besiege } from './siege.ts'
import { storyOf } from './story.ts'

const SEED = process.env.PARLEY_SEED
const SECONDS = Number(process.env.PARLEY_SECONDS ?? (SOAK > 1 ? 300 : 3))
const SEEDS = SEED === undefined ? Array.from({ length: SOAK > 1 ? 20 : 1 }, (_, n) => n) : [Number(SEED)]

test.for(SEEDS)(
  '[R20] whatever is killed, frozen or ended, each agent gets its own replies and messages, each once (seed %i)',
  { timeout: (SECONDS + 300) * 1000 },
  async (seed) => {
    const { complaints, record } = await besiege({ seed, seconds: SECONDS, longFreezes: SECONDS > 30 })
    expect(complaints, storyOf(seed, complaints, record)).toEqual([])
  },
)
