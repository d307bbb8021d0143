import { rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { SOAK } from '../../../test/log/contract/place.ts'
import { plainlyDecided } from '../../../test/support/policy/plain-policy.ts'
import { makeWorld, randomPolicies } from '../../../test/support/policy/random-policies.ts'
import { seeded } from '../../../test/support/seeded.ts'
import { readPolicy } from './file/read-policy.ts'
import { compilePolicy } from './policy.ts'

const POLICIES = SOAK > 1 ? 3000 : 12
const CALLS = 30

const world = makeWorld()
afterAll(() => rmSync(world, { recursive: true }))

test(
  `[G14] ${POLICIES} random policies decide ${CALLS} random calls each as a plain evaluator does`,
  () => {
    const decided = new Map<string, number>()
    const wrong: unknown[] = []
    for (let seed = 1; seed <= POLICIES; seed++) {
      const { policy, call } = randomPolicies(seeded(seed), world)
      const rules = policy()
      const { rules: read, problems } = readPolicy(JSON.stringify({ rules }))
      expect({ seed, problems }).toEqual({ seed, problems: [] })
      const { decide, explain } = compilePolicy(read)
      for (let n = 0; n < CALLS; n++) {
        const subject = call()
        const { rule, decision } = plainlyDecided(rules, subject)
        const verdict = decide(subject)
        const found = { rule: read.findIndex(({ id }) => id === verdict.rule?.id), decision: verdict.decision }
        const { verdict: explained, passed } = explain(subject)
        const same = found.rule === rule && found.decision === decision && explained === verdict
        if (!same || passed.length !== (rule === -1 ? rules.length : rule))
          wrong.push({ seed, subject, rules, expected: { rule, decision }, found, explained })
        const kind = `${rule === -1 ? 'default' : 'rule'} ${decision}`
        decided.set(kind, (decided.get(kind) ?? 0) + 1)
      }
    }
    expect(wrong.slice(0, 1)).toEqual([])
    // The test is of no use where every call is decided alike.
    const least = (POLICIES * CALLS) / 100
    const kinds = ['allow', 'ask', 'deny_continue', 'deny_abort'].map((decision) => `rule ${decision}`)
    for (const kind of [...kinds, 'default allow', 'default ask'])
      expect([kind, (decided.get(kind) ?? 0) > least]).toEqual([kind, true])
  },
  300_000 * SOAK,
)
