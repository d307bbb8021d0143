import { expect, test } from 'vitest'
import { addedAndRemoved, changesIn, compare, editsIn, isPatch } from './changes.ts'
import { extentOf, piecesOf, startOf } from './extent.ts'

test('[U66] a patch is told from other text, and its headings from its lines', () => {
  const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-one\n+two\n+three\n same'
  expect(isPatch(patch)).toBe(true)
  expect(isPatch('*** Begin Patch\n*** Update File: a.ts\n+x')).toBe(true)
  expect(isPatch('- a list\n+ another\n--- a rule')).toBe(false)
  expect(changesIn(patch).map(({ kind }) => kind)).toEqual([
    ...['place', 'place', 'place', 'place'],
    ...['removed', 'added', 'added', 'same'],
  ])
  expect(addedAndRemoved(changesIn(patch))).toEqual({ added: 2, removed: 1 })
})

test('[U66] the edits of a call are found under the names that tools have for them', () => {
  const edit = { before: 'a', after: 'b' }
  const found = (args: object) => editsIn(JSON.stringify(args))
  expect(found({ file_path: 'x', old_string: 'a', new_string: 'b' })).toEqual({
    edits: [edit],
    rest: { file_path: 'x' },
  })
  expect(found({ path: 'x', old_str: 'a', new_str: 'b' })?.edits).toEqual([edit])
  expect(found({ path: 'x', edits: [{ oldText: 'a', newText: 'b' }] })).toEqual({ edits: [edit], rest: { path: 'x' } })
  expect(found({ command: 'ls' })).toBeUndefined()
  expect(found({ edits: [] })).toBeUndefined()
  expect(found({ edits: [{ old_string: 'a', new_string: 'b' }, 7] })).toBeUndefined()
  expect(editsIn('[1]')).toBeUndefined()
  expect(editsIn('no JSON')).toBeUndefined()
})

test('[U66] edits are compared line by line, and what differs too much is replaced whole', async () => {
  const texts = async (before: string, after: string) => (await compare([{ before, after }])).map(({ text }) => text)
  expect(await texts('one\ntwo\nthree', 'one\n2\nthree')).toEqual([' one', '-two', '+2', ' three'])
  expect(await texts('', 'new')).toEqual(['+new'])
  const [many, others] = ['a', 'b'].map((letter) =>
    Array.from({ length: 5000 }, (_, n) => `${letter}${n}`).join('\n'),
  ) as [string, string]
  expect(addedAndRemoved(await compare([{ before: many, after: others }]))).toEqual({ added: 5000, removed: 5000 })
})

test('[U67] a long text has a start, and a text that is hardly longer is shown whole', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `line ${n}`).join('\n')
  expect(startOf(lines(45))).toBeUndefined()
  expect(startOf(lines(46))).toBe(lines(30))
  expect(startOf('x'.repeat(9000))).toBeUndefined()
  expect(startOf('x'.repeat(9001))).toBe('x'.repeat(6000))
  expect(startOf(`${'x'.repeat(5999)}😀${'x'.repeat(9000)}`)).toBe('x'.repeat(5999))
  expect([extentOf(lines(1200)), extentOf('x'.repeat(12_345)), extentOf('x'.repeat(1_200_000))]).toEqual([
    '1,200 lines',
    '12 kB',
    '1.2 MB',
  ])
})

test('[U67] the pieces of a very long text are all of it, and end where lines do', () => {
  const lines = Array.from({ length: 30_000 }, (_, n) => `line ${n}`).join('\n')
  const pieces = piecesOf(lines)
  expect(pieces.length).toBeGreaterThan(5)
  expect(pieces.join('\n')).toBe(lines)
  const line = '😀'.repeat(100_000)
  expect(piecesOf(line).join('')).toBe(line)
  expect(piecesOf(line).every((piece) => piece.isWellFormed())).toBe(true)
})
