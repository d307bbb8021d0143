import { expect, test } from 'vitest'
import { compileGlob, literally, problemInGlob } from './glob.ts'

const fits = (pattern: string, text: string) => compileGlob(pattern).fits(text)

test.each([
  ['read_file', 'read_file', true],
  ['read_file', 'read_files', false],
  ['read_file', 'Read_file', false],
  ['read_*', 'read_file', true],
  ['read_*', 'read_', true],
  ['read_*', 'a read_file', false],
  ['*_file', 'read_file', true],
  ['*', '', true],
  ['*', 'two\nlines / and a slash', true],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['ab*bc', 'abc', false],
  ['*ab*ab*', 'xabxab', true],
  ['*ab*ab*', 'xabab', true],
  ['*aba*aba*', 'ababa', false],
  ['git *', 'git push --force', true],
  ['git push*origin*main', 'git push -f origin the main', true],
  ['a?c', 'abc', true],
  ['a?c', 'ac', false],
  ['a?c', 'a🎉c', true],
  ['?', '🎉', true],
  ['??', '🎉', false],
  ['*?x', 'x', false],
  ['*?x', '🎉x', true],
  ['*a?*b?', 'a1-a2-b3', true],
  ['*a?*b?', 'a1-b', false],
  ['a**b', 'a-b', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'a-b', false],
  ['a\\?', 'ab', false],
  ['\\[id]', '[id]', true],
  ['\\\\', '\\', true],
  ['.', 'a', false],
  ['a+', 'aa', false],
  ['$&', '$&', true],
])('[G3] whether %j fits %j is %s', (pattern, text, expected) => {
  expect(fits(pattern, text)).toBe(expected)
})

test.each(['a*b?c[d{e\\f', '!x', '', '***', 'plain'])('[G3] only itself fits what is literally %j', (text) => {
  const pattern = literally(text)
  expect(compileGlob(pattern).literal).toBe(text)
  expect(fits(pattern, `${text}.`)).toBe(false)
  if (text !== '') expect(problemInGlob(pattern)).toBeUndefined()
})

test.each([
  ['', 'must not be empty'],
  ['a'.repeat(1001), 'is longer than 1000 characters'],
  ['!a', /^begins with "!"/],
  ['a\\', /^ends with a backslash/],
  ['{a,b}', /^has a "{"/],
  ['file[0-9]', /^has a "\["/],
])('[G13] the pattern %j is refused', (pattern, problem) => {
  expect(problemInGlob(pattern)).toMatch(problem)
})

test('[G13] a pattern of 1,000 characters is none too long, and one that escapes what it may not have is good', () => {
  for (const pattern of ['a'.repeat(1000), 'a!', '\\!a', 'a\\\\', '\\{a,b}', '\\[a]'])
    expect([pattern, problemInGlob(pattern)]).toEqual([pattern, undefined])
})

test('[G3] no pattern takes longer than the text and itself are long', () => {
  const text = 'a'.repeat(200_000)
  const hard = [
    '*a'.repeat(200),
    '*?a'.repeat(200),
    `${'*a'.repeat(200)}*b`,
    `*${'a'.repeat(400)}b*`,
    `${'?*'.repeat(200)}b`,
  ]
  const started = process.threadCpuUsage()
  for (const pattern of hard) for (const end of ['', 'c']) fits(pattern, text + end)
  // Backtracking would take longer than the universe is old here.
  expect(process.threadCpuUsage(started).user).toBeLessThan(10_000_000)
})
