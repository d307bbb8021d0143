import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldsOf, joined, problemIn } from './fields.ts'

const INPUT =
  '{"command":"a\\n\\"b\\"", "n":12345678901234567890, "on":true, "list":[1,{"a":2.50}], "none":null,"hid":"x\\u202ey","cr":"a\\r\\nb"}'

function edited(input: string, values: Record<string, string>): string | undefined {
  const fields = fieldsOf(input)
  return joined(
    fields,
    fields.map(({ name, value }) => (Object.hasOwn(values, name) ? (values[name] ?? '') : value)),
  )
}

test('[A31] each argument has a field of its kind; a text has its real line breaks, unless they would be lost', () => {
  expect(fieldsOf(INPUT).map(({ kind, value }) => [kind, value])).toEqual([
    ['text', 'a\n"b"'],
    ['number', '12345678901234567890'],
    ['boolean', 'true'],
    ['json', '[\n  1,\n  {\n    "a": 2.50\n  }\n]'],
    ['json', 'null'],
    ['json', '"x\\u202ey"'],
    ['json', '"a\\r\\nb"'],
  ])
})

test('[A31] only what was edited changes, and all else stays as it was written', () => {
  expect(edited(INPUT, {})).toBeUndefined()
  expect(edited(INPUT, { list: '[1, {"a": 2.50}]' })).toBeUndefined()
  expect(edited(INPUT, { command: 'ls\n-l', on: 'false' })).toBe(
    '{"command":"ls\\n-l","n":12345678901234567890,"on":false,"list":[1,{"a":2.50}],"none":null,"hid":"x\\u202ey","cr":"a\\r\\nb"}',
  )
  expect(edited('{"a":"1","a":"2"}', { a: '3' })).toBe('{"a":"3","a":"3"}')
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const input = JSON.stringify({ ...object, last: 'x' })
      expect(
        joined(
          fieldsOf(input),
          fieldsOf(input).map(({ value }) => value),
        ),
      ).toBeUndefined()
      expect(JSON.parse(edited(input, { last: 'y' }) ?? '')).toEqual(JSON.parse(input.replace(/"x"}$/, '"y"}')))
    }),
    // Others in each soak; what may be merged is not left to chance.
    process.env.PARLEY_SOAK ? {} : { seed: 0 },
  )
})

test('[A6] what is no number, no JSON or no JSON object is told so, with the place', () => {
  const [command, n, , list] = fieldsOf(INPUT)
  const [all] = fieldsOf('{}')
  if (!command || !n || !list || !all) throw new Error('There are fields')
  expect(problemIn(command, '{')).toBeUndefined()
  expect([problemIn(n, ' -1.5e3 '), problemIn(n, '12x'), problemIn(n, '')]).toEqual([
    undefined,
    'Write a number, such as 3 or 0.5',
    'Write a number, such as 3 or 0.5',
  ])
  expect(problemIn(list, '7')).toBeUndefined()
  expect(problemIn(list, '{\n  "a": 1 "b": 2}')).toBe('Invalid JSON at line 2, column 10')
  expect(problemIn(list, '')).toBe('Invalid JSON')
  expect(problemIn(all, '{"a": 1}')).toBeUndefined()
  expect(problemIn(all, '[1]')).toContain('as a JSON object')
  expect(joined([all], ['{"a": 1}'])).toBe('{"a": 1}')
})

test('[S197] more arguments than anybody edits one by one are one field, which says the same', () => {
  const input = JSON.stringify(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`n${n}`, n])))
  expect(fieldsOf(input).map(({ kind }) => kind)).toEqual(['all'])
  expect(fieldsOf(input.replace('"n500":500', '"n500":0').replace(',"n0":0', '').replace('"n0":0,', ''))).toHaveLength(
    500,
  )
  expect(edited(input, {})).toBeUndefined()
  expect(JSON.parse(edited(input, { Arguments: '{"n0":1}' }) ?? '')).toEqual({ n0: 1 })
})
