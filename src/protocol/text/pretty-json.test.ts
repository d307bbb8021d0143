import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from './pretty-json.ts'

test('[U24] JSON is indented as JSON.stringify would, whatever it holds', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(prettyJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
    }),
  )
})

test('[U24] JSON keeps every digit, and what is no JSON is not touched', () => {
  expect(prettyJson('{"id":12345678901234567890,"n":1.0}')).toBe('{\n  "id": 12345678901234567890,\n  "n": 1.0\n}')
  expect(prettyJson('{"a":')).toBeUndefined()
  expect(prettyJson('')).toBeUndefined()
})

test('[U24] JSON of absurd depth stays of the size it has', () => {
  const depth = 20_000
  expect(prettyJson('['.repeat(depth) + ']'.repeat(depth))?.length).toBeLessThan(depth * 200)
})
