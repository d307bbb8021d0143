import { expect, test } from 'vitest'
import { mergedEdits } from './merged-edits.ts'

test('[O214] edits of one file are one difference: what was changed again is in it once, what was undone is not', () => {
  expect(
    mergedEdits([
      { path: 'a.ts', old_text: 'one', new_text: 'two $& three' },
      { path: 'b.ts', new_text: 'new' },
      { path: 'a.ts', old_text: 'three', new_text: 'four' },
      { path: 'a.ts', old_text: 'elsewhere', new_text: 'there' },
      { path: 'b.ts', old_text: 'new', new_text: 'newer' },
      { path: 'c.ts', old_text: 'x', new_text: 'y' },
      { path: 'c.ts', old_text: 'y', new_text: 'x' },
    ]),
  ).toEqual([
    {
      path: 'a.ts',
      kind: 'changed',
      edits: [
        { old_text: 'one', new_text: 'two $& four' },
        { old_text: 'elsewhere', new_text: 'there' },
      ],
    },
    { path: 'b.ts', kind: 'added', edits: [{ new_text: 'newer' }] },
  ])
})

test('[O214] a text that stands twice in what was written before is an edit of its own', () => {
  const edits = [
    { old_text: 'x', new_text: 'a a' },
    { old_text: 'a', new_text: 'b' },
  ]
  expect(mergedEdits(edits.map((edit) => ({ path: 'a', ...edit })))).toEqual([{ path: 'a', kind: 'changed', edits }])
})

test('[O288] a file is one, by whatever path its agent calls it, and has the one from the folder where it is in it', () => {
  const told = [
    { path: '/home/ada/shop/a.ts', old_text: 'one', new_text: 'two' },
    { path: 'a.ts', old_text: 'two', new_text: 'three' },
    { path: './src/../a.ts', old_text: 'three', new_text: 'four' },
    { path: '/home/ada/shop2/b.ts', new_text: 'b' },
    { path: '../c.ts', new_text: 'c' },
  ]
  expect(mergedEdits(told, '/home/ada/shop')).toEqual([
    { path: 'a.ts', kind: 'changed', edits: [{ old_text: 'one', new_text: 'four' }] },
    { path: '/home/ada/shop2/b.ts', kind: 'added', edits: [{ new_text: 'b' }] },
    { path: '../c.ts', kind: 'added', edits: [{ new_text: 'c' }] },
  ])
})
