import { expect, test } from 'vitest'
import { withGaps } from './blanks.ts'
import { clamped } from './clamped.ts'

test('[A59] a run of blank lines is its number, wherever it stands, and a few are as they are', () => {
  expect(withGaps('a\n\n\n\nb')).toEqual(['a\n\n\n\nb'])
  expect(withGaps('a\n\n\n\n\nb')).toEqual(['a\n', 4, 'b'])
  expect(withGaps(`${'\n'.repeat(9)}a\n \t\u00a0\n\n\n  \n`)).toEqual(['', 9, 'a\n', 4, ''])
  expect(withGaps('')).toEqual([''])
})

test('[A59] a long text of blanks takes no time', () => {
  const started = performance.now()
  withGaps(`${' '.repeat(500_000)}\n`.repeat(3))
  withGaps(`a${'\n \n'.repeat(300_000)}`)
  withGaps(' \n \n \nx'.repeat(100_000))
  expect(performance.now() - started).toBeLessThan(1000)
})

test('[A57] a long name keeps its beginning and its end', () => {
  expect(clamped('Bash')).toBe('Bash')
  expect(clamped('a'.repeat(36))).toBe('a'.repeat(36))
  expect(clamped(`read${'_only'.repeat(30)}_rm_rf`)).toBe('read_only_only_only_onl…y_only_rm_rf')
  expect([...clamped('🙂'.repeat(200))]).toHaveLength(36)
})
