import { expect, test } from 'vitest'
import { quoted } from './quote.ts'

test('[U106] a quote has each line of what is quoted, of a long text the first twenty', () => {
  expect(quoted('One\n\n  two\n')).toBe('> One\n>\n>   two')
  const lines = quoted(Array.from({ length: 30 }, (_, n) => `${n}`).join('\n')).split('\n')
  expect([lines.length, lines.at(-2), lines.at(-1)]).toEqual([21, '> 19', '> …'])
})
