import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Reading, readingOf } from './reading.ts'

function kinds(args: object): string[] {
  return readingOf(JSON.stringify(args))?.map(({ kind, name }) => `${kind} ${name}`) ?? []
}

function linesOf(readings: Reading[] | undefined): string[] {
  return readings?.flatMap((each) => (each.kind === 'change' ? each.changes.map(({ text }) => text) : [])) ?? []
}

test('[A29] edits, patches and new files are changes, under the names that tools have for them', () => {
  expect(kinds({ file_path: 'a.ts', old_string: 'a', new_string: 'b', replace_all: true })).toEqual([
    'change a.ts',
    'plain replace_all',
  ])
  expect(kinds({ path: 'a.ts', edits: [{ old_str: 'a', new_str: 'b' }] })).toEqual(['change a.ts'])
  expect(kinds({ file_path: 'a.ts', content: 'one\ntwo' })).toEqual(['change a.ts'])
  expect(kinds({ input: '*** Begin Patch\n*** Add File: a\n+x\n*** End Patch' })).toEqual(['change input'])
  expect(kinds({ content: 'one\ntwo' })).toEqual(['plain content'])
  expect(kinds({ file_path: 'a.ts', content: '' })).toEqual(['plain file_path', 'plain content'])
  expect(linesOf(readingOf('{"path":"a","content":"one\\ntwo\\n"}'))).toEqual(['+one', '+two'])
})

test('[A29] nothing is left out, and what can be read in two ways is shown to the letter', () => {
  expect(kinds({ edits: [{ old_string: 'a', new_string: 'b' }], old_string: 'c', new_string: 'd' })).toEqual([
    'change edits',
    'plain old_string',
    'plain new_string',
  ])
  const twice = '{"old_string":"a","new_string":"b","new_string":"c"}'
  expect(readingOf(twice)?.map(({ kind }) => kind)).toEqual(['plain', 'plain', 'plain'])
  const within = '{"edits":[{"old_string":"a","new_string":"b","new_string":"c"}]}'
  expect(readingOf(within)?.map(({ kind }) => kind)).toEqual(['plain'])
  expect(readingOf('[1]')).toBeUndefined()
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), fc.string({ unit: 'grapheme-ascii' }), (before, after) => {
      const lines = linesOf(readingOf(JSON.stringify({ old_string: before, new_string: after })))
      const of = (sign: string) => lines.filter((line) => line[0] !== sign).map((line) => line.slice(1))
      expect([of('+'), of('-')].map((side) => side.join('\n'))).toEqual([before, after])
    }),
  )
})

test('[U406] the file of a change stands once, above it, and beside it where that could be read in two ways', () => {
  const edit = { old_string: 'a', new_string: 'b' }
  expect(kinds({ ...edit, path: 'a.ts' })).toEqual(['change a.ts'])
  expect(kinds({ ...edit, path: 'a.ts', file: 'b.ts' })).toEqual([
    'change old_string, new_string',
    'plain path',
    'plain file',
  ])
  for (const path of ['', 'a\nb', 'a\u202eb', 'a  b', 7])
    expect(kinds({ ...edit, path })).toEqual(['change old_string, new_string', 'plain path'])
})

test('[A30] a command is told from other texts, and one in words is written as a shell wants it', () => {
  expect(kinds({ command: 'ls', description: 'Look' })).toEqual(['command command', 'plain description'])
  expect(readingOf('{"command":["bash","-lc","echo \'a b\'\\nls"]}')).toEqual([
    { kind: 'command', name: 'command', value: "bash -lc 'echo '\\''a b'\\''\nls'" },
  ])
  expect(kinds({ command: ['ls', 7] })).toEqual(['plain command'])
  expect(kinds({ command: 'git apply <<EOF\ndiff --git a/x b/x\nEOF' })).toEqual(['command command'])
})

test('[S197] more arguments than anybody reads one by one are shown to the letter', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`n${n}`, n]))
  expect(readingOf(JSON.stringify(many))).toHaveLength(500)
  expect(readingOf(JSON.stringify({ ...many, command: 'ls' }))).toBeUndefined()
})
