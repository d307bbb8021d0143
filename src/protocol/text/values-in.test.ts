import { expect, test } from 'vitest'
import { valuesIn } from './values-in.ts'

test('[S198] lists, objects and what commas tell apart are counted, and nothing that is in a text', () => {
  const many: [json: string, values: number][] = [
    ['1', 0],
    ['[]', 1],
    ['[[],{},1]', 5],
    ['{"a,[":"{,\\"[,\\\\","b":2}', 2],
    ['["a,b', 1],
    ['["a\\', 1],
  ]
  for (const [json, values] of many) expect([json, valuesIn(json)]).toEqual([json, values])
})
