import { expect, test } from 'vitest'
import { askedChanges } from './asked-changes.ts'

const changed = (asked: string, allowed: string) =>
  askedChanges(asked, allowed).map(({ name, lines }) => [name, ...lines.map(({ text }) => text)])

test('[A87] what was changed is told argument by argument, what was asked as removed and what was allowed as added', () => {
  const asked = JSON.stringify({ command: 'rm -rf build\nrm -rf dist', timeout: 5, cwd: '/a' })
  const allowed = JSON.stringify({ command: 'ls build', timeout: 5, cwd: '/a' })
  expect(changed(asked, allowed)).toEqual([['command', '-rm -rf build', '-rm -rf dist', '+ls build']])
  expect(changed('{"a":1}', '{"b":1}')).toEqual([
    ['a', '-1'],
    ['b', '+1'],
  ])
  expect(changed('{"a":"1"}', '{"a":1}')).toEqual([['a', '-"1"', '+1']])
  expect(changed('{"a":1,"a":2}', '{"a":3}')).toEqual([
    ['Arguments', ' {', '-  "a": 1,', '-  "a": 2', '+  "a": 3', ' }'],
  ])
})
