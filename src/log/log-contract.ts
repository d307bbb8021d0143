import { describe } from 'vitest'
import { appendRules } from './contract/append-rules.ts'
import { followRules } from './contract/follow-rules.ts'
import { modelRules } from './contract/model-rules.ts'
import { type OpenLog, testsOf } from './contract/place.ts'
import { readRules } from './contract/read-rules.ts'

/** What every engine promises. `durable` engines are also closed and opened again at the same place. */
export function logContract(name: string, open: OpenLog, { durable = false } = {}) {
  describe(name, () => {
    const test = testsOf(open)
    appendRules(test, durable)
    readRules(test, durable)
    followRules(test)
    modelRules(open, durable)
  })
}
