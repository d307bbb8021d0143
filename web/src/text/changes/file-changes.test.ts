import { expect, test } from 'vitest'
import { changesIn } from './changes.ts'
import { isSame, linesOf } from './file-changes.ts'

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `line ${from + n}`)

test('[U196] of a file, what changes is shown with three lines around it, and where that is', () => {
  const old_text = lines(1, 40).join('\n')
  const new_text = old_text.replace('line 20', 'another line')
  const shown = linesOf({ path: 'a.ts', old_text, new_text }).map(({ text }) => text)
  expect(shown).toEqual([
    '@@ -17 +17 @@',
    ' line 17',
    ' line 18',
    ' line 19',
    '-line 20',
    '+another line',
    ' line 21',
    ' line 22',
    ' line 23',
  ])
})

test('[U196] a new file is added whole', () => {
  expect(linesOf({ path: 'a.ts', new_text: 'one\ntwo\n' })).toEqual([
    { kind: 'added', text: '+one' },
    { kind: 'added', text: '+two' },
  ])
})

test('[U196] changes of the same lines are the same, whatever is around them', () => {
  const change = { path: 'a.ts', old_text: 'x\ny\nz', new_text: 'x\nY\nz' }
  expect(isSame(linesOf(change), changesIn('@@ -2 +2 @@\n-y\n+Y'))).toBe(true)
  expect(isSame(linesOf(change), changesIn('@@ -2 +2 @@\n-y\n+Z'))).toBe(false)
})
