import { expect, test } from 'vitest'
import { clamped } from '../clamped.ts'
import { withGaps } from './blanks.ts'

test('[A59] a run of blank lines is its number, wherever it stands, and a few are as they are', () => {
  expect(withGaps('a\n\n\n\nb')).toEqual(['a\n\n\n\nb'])
  expect(withGaps('a\n\n\n\n\nb')).toEqual(['a\n', 4, 'b'])
  expect(withGaps(`${'\n'.repeat(9)}a\n \t\u00a0\n\n\n  \n`)).toEqual(['', 9, 'a\n', 4, ''])
  expect(withGaps('')).toEqual([''])
})

// Each of them would take hours if it were looked at more than once.
test('[A59] a long text of blanks takes no time', () => {
  expect(withGaps(`${' '.repeat(500_000)}\n`.repeat(3))).toHaveLength(1)
  expect(withGaps(`a${'\n \n'.repeat(300_000)}`)).toEqual(['a\n', 599_999, ''])
  expect(withGaps(' \n \n \nx'.repeat(100_000))).toHaveLength(1)
})

test('[A57] a long name keeps its beginning and its end', () => {
  expect(clamped('Bash')).toBe('Bash')
  expect(clamped('a'.repeat(36))).toBe('a'.repeat(36))
  expect(clamped(`read${'_only'.repeat(30)}_rm_rf`)).toBe('read_only_only_only_onl…y_only_rm_rf')
  expect([...clamped('🙂'.repeat(200))]).toHaveLength(36)
})
