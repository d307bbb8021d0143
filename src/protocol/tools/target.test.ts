import { expect, test } from 'vitest'
import { targetOf } from './target.ts'

test('[U23] the target of a tool call is its most telling argument, in one short line', () => {
  expect(targetOf('{"content":"long","file_path":"src/a.ts"}')).toBe('src/a.ts')
  expect(targetOf('{"limit":3,"topic":"cats"}')).toBe('cats')
  expect(targetOf('{"command":"ls\\n  -la"}')).toBe('ls ⏎ -la')
  expect(targetOf('{"count":3}')).toBe('')
  expect(targetOf('{}')).toBe('')
  expect(targetOf('"quoted"')).toBe('quoted')
  expect(targetOf('not JSON\n<b>')).toBe('not JSON ⏎ <b>')
  expect(targetOf(JSON.stringify({ path: 'x'.repeat(5000) }))).toHaveLength(200)
})

test('[A87] in one line, the end of each line of a command is seen', () => {
  const target = (command: string) => targetOf(JSON.stringify({ command }))
  expect(target('rm -rf build\nrm -rf dist\n')).toBe('rm -rf build ⏎ rm -rf dist')
  for (const end of ['\r\n', '\r', '\u2028', '\n\n  ', '\v']) expect(target(`a${end}b`)).toBe('a ⏎ b')
})
