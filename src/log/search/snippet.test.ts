import { expect, test, vi } from 'vitest'
import { wordsOf } from './search-words.ts'
import { snippetOf } from './snippet.ts'

test('[S163] what is shown of a hit is found in one pass, however many blanks its text has', () => {
  const text = `${'a  b\n'.repeat(2000)}here`
  let looked = 0
  const endsWith = String.prototype.endsWith
  const spied = vi.spyOn(String.prototype, 'endsWith').mockImplementation(function (this: string, ...args) {
    looked += this.length
    return endsWith.apply(this, args)
  })
  const { text: shown, ranges } = snippetOf(text, wordsOf('here'))
  spied.mockRestore()
  expect(looked).toBeLessThan(3 * text.length)
  expect(ranges.map(([from, to]) => shown.slice(from, to))).toEqual(['here'])
})

test('[S163] runs of blanks are one, and accents none, wherever they stand', () => {
  const { text, ranges } = snippetOf('Ça \n\t va  \u0301 là', wordsOf('"va la"'))
  expect(ranges.map(([from, to]) => text.slice(from, to))).toEqual(['va ́ là'])
})
