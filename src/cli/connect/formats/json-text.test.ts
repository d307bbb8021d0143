import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attempt } from '../../../io/attempt.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import { jsonText } from './json-text.ts'
import { isObject, valueAt } from './text-format.ts'

const RUNS = process.env.PARLEY_SOAK ? { numRuns: 5000 } : { numRuns: 300, seed: 7 }
const lenient = jsonText({ comments: true })
const strict = jsonText({ comments: false })
const PATH = ['mcpServers', 'parley']
const ENTRY = { command: '/usr/bin/node', args: ['/opt/parley.js', 'stdio'], env: {} }

const blank = fc.constantFrom(
  '',
  '',
  ' ',
  '\n',
  '\r\n',
  '\t',
  ' // said\n',
  '/* said */',
  '\n  // "mcpServers": {}\n  ',
)
const name = fc.oneof(fc.constantFrom('mcpServers', 'parley', 'other', '__proto__'), fc.string({ maxLength: 4 }))

/** JSON in any layout, with comments, and now and then a comma at the end. */
const { value } = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'depth' },
    fc.constantFrom('1', 'null', 'true', '"text"', '-0.5e3', '[]', '[1, 2 ]', '"\\ud83d\\u2028"'),
    tie('object'),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, tie('value'), blank, blank, blank), { maxLength: 4, selector: ([one]) => one }),
      fc.boolean(),
      blank,
    )
    .map(([members, hasComma, end]) => {
      const all = members.map(([key, inner, a, b, c]) => `${a}${JSON.stringify(key)}${b}:${c}${inner}`)
      return `{${all.join(',')}${hasComma && all.length > 0 ? ',' : ''}${end}}`
    }),
}))

test('[C200] whatever JSON a file holds, only the entry is set, and taken out again', () => {
  fc.assert(
    fc.property(value, blank, blank, (text, before, after) => {
      const whole = `${before}${text}${after}`
      const given = attempt(
        () => lenient.read(whole),
        ifRefused(() => undefined),
      )
      if (!given) return
      const inner = given.mcpServers
      if (inner !== undefined && !isObject(inner)) {
        expect(() => lenient.set(whole, PATH, ENTRY)).toThrow('The file has something else than an object under')
        return
      }
      const set = lenient.set(whole, PATH, ENTRY)
      expect(valueAt(lenient.read(set), PATH)).toEqual(ENTRY)
      expect(lenient.set(set, PATH, ENTRY)).toBe(set)
      if (valueAt(given, PATH) === undefined) expect(isWithin(whole, set)).toBe(true)
      expect(isWithin(lenient.remove(set, PATH), set)).toBe(true)
    }),
    RUNS,
  )
})

test.each([
  ['{}', '{\n  "mcpServers": {\n    "parley": 1\n  }\n}'],
  ['', '{\n  "mcpServers": {\n    "parley": 1\n  }\n}\n'],
  ['{\n}\n', '{\n  "mcpServers": {\n    "parley": 1\n  }\n}\n'],
  ['{"a":1}', '{"a":1,"mcpServers":{"parley":1}}'],
  ['{\n\t"a": 1 // one\n}', '{\n\t"a": 1, // one\n\t"mcpServers": {\n\t\t"parley": 1\n\t}\n}'],
  ['{\r\n    "mcpServers": {},\r\n}', '{\r\n    "mcpServers": {\r\n        "parley": 1\r\n    },\r\n}'],
  [
    '{\n  "mcpServers": {\n    "a": {},\n    // more\n  }\n}',
    '{\n  "mcpServers": {\n    "a": {},\n    "parley": 1,\n    // more\n  }\n}',
  ],
  ['\ufeff{\n  "a": 1\n}', '\ufeff{\n  "a": 1,\n  "mcpServers": {\n    "parley": 1\n  }\n}'],
])('[C200] it is written as the rest of the file is: %j', (before, after) => {
  expect(lenient.set(before, PATH, 1)).toBe(after)
})

test.each([' ', '\t', '\n  '])('[C200] behind %j alone it is written in one way, whatever was there before', (text) => {
  expect(lenient.set(lenient.set(text, PATH, 1), PATH, ENTRY)).toBe(lenient.set(text, PATH, ENTRY))
})

test.each([
  ['', '{\n  "allow": [\n    "parley"\n  ]\n}\n'],
  ['{"allow": []}', '{"allow": [\n  "parley"\n]}'],
  ['{"allow": ["a"]}', '{"allow": ["a","parley"]}'],
  ['{\n  "allow": [\n    "a" // one\n  ]\n}', '{\n  "allow": [\n    "a", // one\n    "parley"\n  ]\n}'],
])('[C200] an item is added to a list, once, and taken out again: %j', (before, after) => {
  const added = lenient.add(before, ['allow'], 'parley')
  expect(added).toBe(after)
  expect(lenient.add(added, ['allow'], 'parley')).toBe(added)
  expect(lenient.read(lenient.drop(added, ['allow'], 'parley'))).toEqual({ allow: [], ...lenient.read(before) })
})

test.each([
  ['{"a":1', 'is not valid (line 1: close brace expected)'],
  ['{\n "a": 1,,\n}', 'is not valid (line 2'],
  ['[]', 'holds no object'],
  ['{"mcpServers": {}, "mcpServers": {}}', 'has "mcpServers" twice'],
  ['{"mcpServers": {"parley": 1, "parley": 2}}', 'has "parley" twice'],
  ['{"mcpServers": []}', 'has something else than an object under "mcpServers"'],
])('[C201] what a client could not read is left as it is: %j', (text, problem) => {
  expect(() => lenient.set(text, PATH, ENTRY)).toThrow(`The file ${problem}`)
})

test.each([
  '{\n  "a": 1,\n}\n',
  '{"a": 1,}',
  '{\n  "a": 1, // said\n}',
  '{\n  "a": 1,\n  // said\n}',
  '{\n  "a": 1\n  ,\n}',
])('[C200] the comma at the end of %j is there again when the entry is gone', (text) => {
  const set = lenient.set(text, ['parley'], ENTRY)
  expect(lenient.read(set)).toEqual({ a: 1, parley: ENTRY })
  expect(lenient.remove(set, ['parley'])).toBe(text)
  expect(lenient.remove(lenient.set(set, ['other'], 1), ['other'])).toBe(set)
})

test('[C201] comments are no fault only where the client takes them', () => {
  const text = '{\n  // mine\n  "a": 1\n}'
  expect(lenient.read(text)).toEqual({ a: 1 })
  expect(() => strict.read(text)).toThrow(
    'The file is not valid (line 2: invalid comment token), and was left as it is',
  )
  expect(() => strict.read('{"a":1,}')).toThrow('The file is not valid')
})

/** Whether all characters of the one are in the other, in their order. */
function isWithin(part: string, whole: string): boolean {
  let at = 0
  for (const character of whole) if (part.startsWith(character, at)) at += character.length
  return at === part.length
}
