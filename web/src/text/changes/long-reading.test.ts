import { expect, test } from 'vitest'
import { wholeParts } from './growing-parts.ts'
import { isLong } from './long.ts'
import { piecesOfReading } from './long-reading.ts'
import { readingOf } from './reading.ts'

const lines = (what: string, count: number) => Array.from({ length: count }, (_, n) => `${what} ${n}`).join('\n')
const edits = Array.from({ length: 5 }, (_, n) => ({
  old_string: lines(`old ${n}`, 700),
  new_string: lines(`new ${n}`, 700),
}))
const LONG = JSON.stringify({ file_path: 'a.ts', note: 'x', edits })

test('[U294] what is long in letters or in lines is told from what is short', () => {
  expect(isLong({ input: LONG })).toBe(true)
  expect(isLong({ input: JSON.stringify({ content: '\n'.repeat(1500) }) })).toBe(true)
  expect(isLong({ input: '{}', changes: [{ path: 'a', new_text: 'x'.repeat(50_000) }] })).toBe(true)
  expect(isLong({ input: JSON.stringify({ content: lines('x', 500) }) })).toBe(false)
})

test('[U294] the pieces of a reading are all of it, and none is more than a frame can draw', () => {
  const pieces = [...piecesOfReading({ input: LONG })]
  expect(pieces[0]).toMatchObject({ outline: { files: [], readings: [{ name: 'note' }, { name: 'a.ts' }] } })
  const told = pieces.slice(1).map((piece) => ('lines' in piece ? piece.lines : []))
  expect(Math.max(...told.map(({ length }) => length))).toBeLessThanOrEqual(400)
  const whole = readingOf(LONG)?.flatMap((reading) => (reading.kind === 'change' ? reading.changes : []))
  expect(told.flat()).toEqual(whole)
  expect(wholeParts({ input: LONG }).readings?.[1]?.lines?.all).toEqual(whole)
})

test('[U294] the first of several edits is there before the last is compared', () => {
  const making = piecesOfReading({ input: LONG })
  making.next()
  const first = making.next().value
  expect(first && 'lines' in first && first.lines[0]?.text).toBe('-old 0 0')
  making.return(undefined)
})

test('[U294] what changes in files comes before the arguments, and not again where these tell it', () => {
  const change = { path: 'a.ts', old_text: 'one\n', new_text: 'two\n' }
  const input = JSON.stringify({ old_string: 'one', new_string: 'two' })
  const other = { path: 'b.ts', new_text: 'three\n' }
  const parts = wholeParts({ input, changes: [change, other] })
  expect(parts.files.map(({ path, lines }) => [path, lines.all])).toEqual([
    ['b.ts', [{ kind: 'added', text: '+three' }]],
  ])
  expect(parts.readings?.[0]?.lines?.all.map(({ text }) => text)).toEqual(['-one', '+two'])
  expect(wholeParts({ input: 'no JSON' }).readings).toBeUndefined()
})

test('[U514] the path of a file whose change stands above is no argument beside it, but where nothing else says it', () => {
  const change = { path: 'a.ts', old_text: 'one\n', new_text: 'two\n' }
  const namesFor = (input: object, changes = [change]) =>
    wholeParts({ input: JSON.stringify(input), changes }).readings?.map(({ reading }) => reading.name)
  expect(namesFor({ path: 'a.ts', mode: 3 })).toEqual(['mode'])
  expect(namesFor({ path: 'b.ts' })).toEqual(['path'])
  expect(namesFor({ path: 'a.ts', file: 'a.ts' })).toEqual(['path', 'file'])
  expect(namesFor({ path: 'a.ts', patch: '--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-one\n+two\n' })).toContain('path')
})
