import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from '../../../../src/protocol/text/pretty-json.ts'
import { visible, visibleWords } from '../visible.ts'
import { argumentsOf, saysTwice } from './arguments.ts'

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
  expect(visible('👍🏽 👩🏽‍💻 🏳️‍🌈 1️⃣ ต้ำ é')).toBe('👍🏽 👩🏽‍💻 🏳️‍🌈 1️⃣ ต้ำ é')
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

test.each([
  ['a carriage return', 'ls\r\nrm', 'ls\\u000d\nrm'],
  ['controls', 'a\u0000\u0008\u001b[2K\u007f\u0085', 'a\\u0000\\u0008\\u001b[2K\\u007f\\u0085'],
  ['a variation selector at a letter or a digit', 'a\ufe00 1\ufe0f x\ufe0f', 'a\\ufe00 1\\ufe0f x\\ufe0f'],
  ['one that picks a glyph', '\u{8fbb}\u{e0100}\u{e01ef}', '\u{8fbb}\\udb40\\udd00\\udb40\\uddef'],
  ['two of them at an emoji', '❤\ufe0f\ufe0f', '❤\ufe0f\\ufe0f'],
  ['a joiner that joins nothing', '👩\u200d. 1\ufe0f\u200dx', '👩\\u200d. 1\\ufe0f\\u200dx'],
  ['tags', 'a\u{e0001}\u{e0061}\u{e007f}', 'a\\udb40\\udc01\\udb40\\udc61\\udb40\\udc7f'],
  ['fillers and marks', '\u3164\u115f\u034f\u061c\u180e\ufeff', '\\u3164\\u115f\\u034f\\u061c\\u180e\\ufeff'],
  ['marks that pile up over other lines', `a${'\u0300'.repeat(8)}`, `a${'\u0300'.repeat(6)}\\u0300\\u0300`],
])('[A56] %s is shown as an escape', (_, text, shown) => {
  expect(visible(text)).toBe(shown)
  expect(visibleWords(text)).toBe(shown.replace('👩\\u200d', '👩\u200d').replace('\\u200dx', '\u200dx'))
})

test('[A56] words keep the joiners that letters need', () => {
  expect(visibleWords('می\u200cخواهم')).toBe('می\u200cخواهم')
  expect(visible('می\u200cخواهم')).toBe('می\\u200cخواهم')
})
