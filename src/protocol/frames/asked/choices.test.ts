import { expect, test } from 'vitest'
import { pageOf } from './choices.ts'

const named = (...names: string[]) => names.map((name) => ({ id: name.toLowerCase().replace(' ', '-'), name }))

test('[O261] all words have to be there, in any order; what is called so comes first, and its description last', () => {
  const all = [
    { id: 'a', name: 'Other', description: 'Like Opus, but small' },
    ...named('Big Opus', 'Opus 5', 'Sonnet', 'opus mini'),
  ]
  const found = (query: string) => pageOf(all, { list: 'models', query }).found.map(({ name }) => name)
  expect(found('opus')).toEqual(['Opus 5', 'opus mini', 'Big Opus', 'Other'])
  expect(found('5 OPUS')).toEqual(['Opus 5'])
  expect(found(' ')).toEqual(all.map(({ name }) => name))
  expect(found('haiku')).toEqual([])
})

test('[O261] a page has 100 of them, says how many fit, and where the next one begins', () => {
  const all = named(...Array.from({ length: 250 }, (_, n) => `Model ${n}`))
  expect(pageOf(all, { list: 'models', after: 100 })).toMatchObject({ total: 250, next: 200, found: { length: 100 } })
  const last = pageOf(all, { list: 'models', after: 200 })
  expect(last.found).toHaveLength(50)
  expect(last).not.toHaveProperty('next')
})
