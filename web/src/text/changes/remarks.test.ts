import { expect, test } from 'vitest'
import { type Change, changesIn } from './changes.ts'
import { compare } from './edits.ts'
import { type Remark, replyOf } from './remarks.ts'
import { finderOf, type Numbering } from './spots.ts'

const PATCH = `diff --git a/src/hub.ts b/src/hub.ts
--- a/src/hub.ts
+++ b/src/hub.ts
@@ -10,3 +10,3 @@ function hub() {
 same
-old
+new
\\ No newline at end of file
@@ -40 +40,2 @@
 later
+more
--- a/gone.ts
+++ /dev/null
@@ -1 +0,0 @@
-bye`

function wheres(changes: Change[], numbering: Numbering): (string | undefined)[] {
  return changes.map(finderOf(numbering)).map((spot) => spot?.where)
}

function remark(more: Partial<Remark>): Remark {
  return { change: 0, line: 0, where: 'a.ts:1', code: '+x', text: 'Why?', ...more }
}

test('[U111] a line of a patch is where its headings say: the new place, or the old one of what goes', () => {
  expect(wheres(changesIn(PATCH), { by: 'patch' })).toEqual([
    ...[undefined, undefined, undefined, undefined],
    ...['src/hub.ts:10', 'src/hub.ts:11', 'src/hub.ts:11', undefined, undefined],
    ...['src/hub.ts:40', 'src/hub.ts:41', undefined, undefined, undefined, 'gone.ts:1'],
  ])
  const loose = changesIn('*** Begin Patch\n*** Update File: a.ts\n@@ def f\n-x\n+y')
  expect(wheres(loose, { by: 'patch' }).slice(3)).toEqual(['a.ts', 'a.ts'])
  expect(wheres(changesIn('+x'), { by: 'patch' })).toEqual(['the change'])
})

test('[U111] a line of an edit is counted within it, and one of a new file within the file', () => {
  const edits = compare([
    { before: 'a\nb', after: 'a\nc' },
    { before: 'd', after: 'e' },
  ])
  expect(wheres(edits, { by: 'edit', file: 'a.ts' })).toEqual([
    'a.ts, line 1 of the new text',
    'a.ts, line 2 of the old text',
    'a.ts, line 2 of the new text',
    undefined,
    'a.ts, line 1 of the old text',
    'a.ts, line 1 of the new text',
  ])
  expect(wheres(compare([{ before: '', after: 'x\ny' }]), { by: 'file', file: 'n.ts' })).toEqual(['n.ts:1', 'n.ts:2'])
})

test('[U111] all comments are one reply, from top to bottom: the place, the line and what is said', () => {
  const said = [
    remark({ change: 1, line: 3, where: 'b.ts:4', code: '-  `y`', text: ' Two\nlines ' }),
    remark({ line: 9, where: 'a.ts:10', text: 'Second' }),
    remark({ line: 2, text: 'First' }),
    remark({ line: 5, text: '  ' }),
  ]
  expect(replyOf(said)).toBe(
    [
      '3 comments on the change:',
      '`a.ts:1`\n> `+x`\n\nFirst',
      '`a.ts:10`\n> `+x`\n\nSecond',
      '`b.ts:4`\n> `` -  `y` ``\n\nTwo\nlines',
    ].join('\n\n'),
  )
  const long = replyOf([remark({ code: `+${'😀'.repeat(300)}` })])
  expect(long).toContain('1 comment on the change:')
  expect(long).toContain(`\`+${'😀'.repeat(199)}…\``)
})
