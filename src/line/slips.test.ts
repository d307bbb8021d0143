import { expect, test } from 'vitest'
import { createSlips } from './slips.ts'

const SLIP = { conversation: 'work', replies: ['0000000000000001'] }

test('[M76] a cancel that comes long after its answer takes nothing back, and goes no further', () => {
  let now = 0
  const slips = createSlips(() => now)
  slips.writing(1, [SLIP], 0)()
  now = 5001
  expect(slips.crossed(1)).toBe(false)
  expect(slips.newest()).toEqual([SLIP])
})

test('[M75] a cancel that crosses its answer takes back what is written, or about to be', () => {
  const slips = createSlips(() => 0)
  const written = slips.writing(1, [SLIP], 0)
  expect([slips.crossed(1), written(), slips.newest()]).toEqual([true, [], []])
  expect(slips.writing(2, [SLIP], 0)()).toEqual([SLIP])
  expect([slips.crossed(2), slips.newest()]).toEqual([true, []])
  expect(slips.crossed('never asked')).toBe(true)
})

test('[M83] of what its client has the newest is told, each slip and each id counted', () => {
  const slips = createSlips(() => 0)
  const own = (conversation: string) => ({ ...SLIP, conversation })
  for (const [id, name] of ['one', 'two', 'three'].entries()) slips.writing(id, [own(name)], 0)()
  expect(slips.newest(5)).toEqual([own('two'), own('three')])
  expect(slips.newest(6)).toEqual(slips.newest())
})
