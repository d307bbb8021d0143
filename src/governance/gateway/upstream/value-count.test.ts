import { expect, test } from 'vitest'
import { TOO_DEEP } from '../../../protocol/text/nesting.ts'
import { createValueCount, TOO_MANY_VALUES, tooMuchIn } from './value-count.ts'

test('[G210] values are counted before anything is read, and commas in texts are none', () => {
  const many = 250_001
  expect(tooMuchIn(`[${'{},'.repeat(many)}{}]`)).toBe(TOO_MANY_VALUES)
  expect(tooMuchIn(`[${'{},'.repeat(many - 2)}{}]`)).toBeUndefined()
  expect(tooMuchIn(JSON.stringify([','.repeat(3 * many), '\\"'.repeat(many), ','.repeat(many)]))).toBeUndefined()
})

test('[G300] how deep it is, is seen before anything is read, also in pieces, and brackets in texts are none', () => {
  const many = 250_001
  expect(tooMuchIn('['.repeat(many) + ']'.repeat(many))).toBe(TOO_DEEP)
  expect(tooMuchIn(`${'{"":'.repeat(many)}1${'}'.repeat(many)}`)).toBe(TOO_DEEP)
  expect(tooMuchIn(JSON.stringify(['['.repeat(2 * many), '\\"['.repeat(many)]))).toBeUndefined()
  const { take } = createValueCount()
  const nested = Buffer.from('["\\"["'.repeat(201))
  for (const byte of nested) expect(take(Buffer.from([byte]))).toBeUndefined()
  expect(take(Buffer.from('['))).toBe(TOO_DEEP)
})
