import { expect, test } from 'vitest'
import { mentionIn } from './mention.ts'
import { pathIn, pathsIn } from './paths.ts'

test('[F33] paths are found in words with their lines, and nothing else that has a slash', () => {
  expect(pathsIn('See src/log/search.ts:12 and ./web/app.css, or /home/ada/x.md#L3.')).toEqual([
    { path: 'src/log/search.ts', line: 12, from: 4, to: 24 },
    { path: './web/app.css', from: 29, to: 42 },
    { path: '/home/ada/x.md', line: 3, from: 47, to: 64 },
  ])
  for (const text of ['and/or', 'http://a.b/c.html', '1/2', 'a/b', 'x@y.org/z', '24/7 support'])
    expect(pathsIn(text), text).toEqual([])
})

test('[F33] code is a path when it looks like one', () => {
  expect(pathIn('src/a.ts')).toEqual({ path: 'src/a.ts' })
  expect(pathIn('a.ts:7:3')).toEqual({ path: 'a.ts', line: 7 })
  expect(pathIn('src/Makefile')).toEqual({ path: 'src/Makefile' })
  for (const code of ['npm test', 'x', 'a.b()', '--flag', '$HOME/x', 'x => y', '3.14'])
    expect(pathIn(code), code).toBeUndefined()
})

test('[F30] an @ begins the name of a file where a word begins, up to the caret', () => {
  expect(mentionIn('see @src/a', 10)).toEqual({ from: 5, query: 'src/a' })
  expect(mentionIn('@', 1)).toEqual({ from: 1, query: '' })
  expect(mentionIn('see @src/a now', 6)).toEqual({ from: 5, query: 's' })
  for (const text of ['ada@example', 'see @a b', 'no']) expect(mentionIn(text, text.length), text).toBeUndefined()
})
