import { expect, test } from 'vitest'
import { extentOf, piecesOf, startOf } from '../markdown/extent.ts'
import { addedAndRemoved, beginsPatch, changesIn, isPatch } from './changes.ts'

test('[U66] a patch is told from other text, and its headings from its lines', () => {
  const patch = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-one\n+two\n+three\n same'
  expect(isPatch(patch)).toBe(true)
  expect(isPatch('*** Begin Patch\n*** Update File: a.ts\n+x')).toBe(true)
  expect([beginsPatch(patch), beginsPatch(`Look:\n${patch}`)]).toEqual([true, false])
  expect(isPatch('- a list\n+ another\n--- a rule')).toBe(false)
  expect(changesIn(patch).map(({ kind }) => kind)).toEqual([
    ...['place', 'place', 'place', 'place'],
    ...['removed', 'added', 'added', 'same'],
  ])
  expect(addedAndRemoved(changesIn(patch))).toEqual({ added: 2, removed: 1 })
  const sql =
    '--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n--- a comment\n same\n--- a/y\n+++ b/y\n@@ -1,9 +1,9 @@\n-z\ndiff --git a/z b/z\n--- a/z'
  expect(changesIn(sql).flatMap(({ kind, text }) => (kind === 'place' ? [] : [text]))).toEqual([
    '--- a comment',
    ' same',
    '-z',
  ])
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
