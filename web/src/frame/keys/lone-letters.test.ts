import { expect, test, vi } from 'vitest'
import { DECIDES_MS, LoneLetters } from './lone-letters.ts'

/** Types the keys one after the other; what they did comes in the order in which it happened. */
function typing(...pauses: [string, number][]) {
  vi.useFakeTimers()
  const letters = new LoneLetters()
  const did: string[] = []
  letters.write = (words) => did.push(`wrote ${words}`)
  for (const [key, pause] of pauses) {
    const press = { key }
    if (key === ' ') letters.goOn()
    else {
      letters.press(press, key === 'j' ? () => did.push('next') : undefined)
      letters.press(press, key === 'a' ? () => did.push('allow') : undefined, DECIDES_MS)
    }
    vi.advanceTimersByTime(pause)
  }
  vi.useRealTimers()
  return did
}

test('[U382] a letter that stands alone is a command, and no letter of a word is one', () => {
  expect(typing(['j', 1000], ['a', 1000])).toEqual(['next', 'allow'])
  expect(typing(['j', 100], ['j', 1000])).toEqual(['next', 'next'])
  expect(typing(['a', 100], ['a', 1000])).toEqual(['allow'])
  expect(typing(['a', 400], ['d', 100], ['d', 1000])).toEqual(['wrote a'])
  expect(typing(['h', 100], ['a', 400], ['j', 400], ['a', 400])).toEqual(['wrote h'])
  expect(typing(['a', 100], [' ', 100], ['j', 1000], ['j', 1000])).toEqual(['wrote a', 'next'])
  expect(typing(['a', 100], ['a', 100], ['r', 1000])).toEqual(['wrote aa'])
  expect(typing(['x', 1000], ['j', 1000])).toEqual(['next'])
})
