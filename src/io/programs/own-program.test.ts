import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { asWord } from './own-program.ts'

test('[U452] whatever a path holds, a shell takes it for one word, and a plain one stays as it is', () => {
  expect(asWord('/home/ada/müller/bin/parley.js')).toBe('/home/ada/müller/bin/parley.js')
  const odd = ['/my files/parley.js', "/it's/here", '/$HOME/`id`', '/a"b\\c!', '/x;ls', '/a*b?', '/(x)&y']
  for (const path of odd)
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${asWord(path)}`], { encoding: 'utf8' })).toBe(path)
})
