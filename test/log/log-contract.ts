import { describe } from 'vitest'
import { appendRules } from './contract/append-rules.ts'
import { bodyRules } from './contract/body-rules.ts'
import { followRules } from './contract/follow-rules.ts'
import { forgetRules } from './contract/forget-rules.ts'
import { modelRules } from './contract/model-rules.ts'
import { noteRules } from './contract/note-rules.ts'
import { type OpenLog, testsOf } from './contract/place.ts'
import { readRules } from './contract/read-rules.ts'
import { searchRules } from './contract/search-rules.ts'

/**
 * What every engine promises. `durable` engines are also closed and opened again at the same place; those that can
 * search promise more.
 */
export function logContract(name: string, open: OpenLog, { durable = false, searches = false } = {}) {
  describe(name, () => {
    const test = testsOf(open)
    appendRules(test, durable)
    bodyRules(test, open, durable)
    readRules(test, durable)
    followRules(test)
    forgetRules(test, durable)
    noteRules(test, durable)
    modelRules(open, durable)
    if (searches) searchRules(test, durable)
  })
}
