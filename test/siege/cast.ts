import { type Dice, seeded } from '../support/seeded.ts'
import type { Role } from './record.ts'

/** Only tells what it does, and nobody says anything to it. */
export const QUIET = 'gus'

/** Who is besieged: always two of one folder, with runs and without, two folders of one name, two in one conversation. */
export function castOf(seed: number): Role[] {
  const dice = seeded(seed * 7919 + 1)
  const plain = { surface: 'agent', client: 'test-agent' } as const
  const claude = { surface: 'agent', client: 'claude-code' } as const
  return [
    { ...plain, name: 'ann', folder: 'customer-a/app', ...chance(dice) },
    { ...plain, name: 'bob', folder: 'customer-a/app', ...chance(dice) },
    { ...claude, name: 'cas', folder: 'shop', run: `run-cas-${seed}`, ...chance(dice) },
    { ...claude, name: 'dot', folder: 'shop', run: `run-dot-${seed}`, ...chance(dice) },
    { ...plain, name: 'eve', folder: 'customer-b/app', ...chance(dice) },
    { ...plain, name: 'fay', folder: 'customer-b/app', ...chance(dice), surface: 'bridge' },
    { ...plain, name: QUIET, folder: 'quiet', ...chance(dice) },
    { ...plain, name: 'ron', folder: 'reading', ...chance(dice), surface: 'chat' },
    { ...claude, name: 'hal', folder: 'desk', session: 'desk', run: `run-hal-${seed}`, ...chance(dice) },
    { ...claude, name: 'ida', folder: 'desk', session: 'desk', run: `run-ida-${seed}`, ...chance(dice) },
  ]
}

function chance(dice: Dice) {
  return {
    era: dice.pick(['legacy', 'modern'] as const),
    maxWaitSeconds: dice.pick([0, 0, 3]),
  }
}
