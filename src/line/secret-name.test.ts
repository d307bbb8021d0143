import { expect, test } from 'vitest'
import { secretName } from './secret-name.ts'

test('[S130] names of lines are 128 bits of chance, each another', () => {
  const names = Array.from({ length: 1000 }, secretName)
  expect(new Set(names).size).toBe(1000)
  expect(names.every((name) => /^[\da-f]{32}$/.test(name))).toBe(true)
  // No digit stands still, and each comes at every place.
  for (let place = 0; place < 32; place++) expect(new Set(names.map((name) => name[place])).size).toBe(16)
})
