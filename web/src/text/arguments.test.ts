import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from '../../../src/protocol/pretty-json.ts'
import { argumentsOf, saysTwice } from './arguments.ts'
import { visible } from './visible.ts'

test('[A4] each argument is shown by itself: a text as it is, with its line breaks, and numbers with every digit', () => {
  expect(
    argumentsOf('{"command":"cd a\\n\\"b\\"","n":12345678901234567890,"on":true,"list":[1,{"a":","}],"e":{}}'),
  ).toEqual([
    { name: 'command', value: 'cd a\n"b"' },
    { name: 'n', value: '12345678901234567890' },
    { name: 'on', value: 'true' },
    { name: 'list', value: '[\n  1,\n  {\n    "a": ","\n  }\n]' },
    { name: 'e', value: '{}' },
  ])
  expect(argumentsOf('{}')).toEqual([])
  expect(argumentsOf('{"a":1,"a":2}')).toHaveLength(2)
})

test('[A4] whatever an object holds, each of its arguments is shown once and in order', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const json = JSON.stringify(object)
      expect(argumentsOf(json)?.map(({ name }) => name)).toEqual(Object.keys(JSON.parse(json)).map(visible))
    }),
  )
})

test('[A4] what is no object has no arguments, and texts deep inside break their lines', () => {
  for (const input of ['[1]', 'null', '"{}"', '{"a":', '']) expect(argumentsOf(input)).toBeUndefined()
  expect(argumentsOf('{"edits":[{"old":"a\\nb\\\\n"}]}')).toEqual([
    { name: 'edits', value: '[\n  {\n    "old": "a\\n\n      b\\\\n"\n  }\n]' },
  ])
})

test('[A5] characters that hide or turn text are shown as escapes, and JSON keeps its meaning', () => {
  expect(visible('rm \u202e-rf\u200b \u{e0041}')).toBe('rm \\u202e-rf\\u200b \\udb40\\udc41')
  expect(visible('👩‍💻 ❤️ é 你好 a\u200db')).toBe('👩‍💻 ❤️ é 你好 a\\u200db')
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(JSON.parse(visible(prettyJson(json) ?? ''))).toEqual(JSON.parse(json))
    }),
  )
})

test('[A29] a name that is given twice is found, however deep, and however deep it is', () => {
  expect(saysTwice('{"a":1,"b":{"a":[{"a":"x:y"}]}}')).toBe(false)
  expect(saysTwice('{"a":1,"\\u0061":2}')).toBe(true)
  expect(saysTwice('{"edits":[{"a":1,"a":2}]}')).toBe(true)
  const deep = 50_000
  expect(saysTwice(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)).toBe(false)
})
