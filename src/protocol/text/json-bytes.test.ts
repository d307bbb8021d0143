import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonBytes } from './json-bytes.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'ä', '€', '😀', ' ', '{', '[') })
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(tie('value')), tie('object')),
  object: fc.dictionary(text, fc.oneof(tie('value'), fc.constant(undefined))),
}))

test('[S196] what a value takes as JSON is known without writing it, but for what is escaped', () => {
  fc.assert(fc.property(value, (value) => jsonBytes(value) === Buffer.byteLength(JSON.stringify(value))))
  expect(jsonBytes('"\n')).toBe('"" '.length + 1)
})

test('[S196] a value of any depth is counted', () => {
  let deep: unknown = 1
  for (let n = 0; n < 100_000; n++) deep = [deep]
  expect(jsonBytes(deep)).toBe(200_001)
})
