import { expect, test } from 'vitest'
import { createDeliveredIds } from './delivered-ids.ts'

const DELIVERED = { conversation: 'work', replies: ['0000000000000001'] }

test('[M76] a cancel that comes long after its answer takes nothing back, and goes no further', () => {
  let now = 0
  const delivered = createDeliveredIds(() => now)
  delivered.writing(1, [DELIVERED], 0)()
  now = 5001
  expect(delivered.crossed(1)).toBe(false)
  expect(delivered.newest()).toEqual([DELIVERED])
})

test('[M75] a cancel that crosses its answer takes back what is written, or about to be', () => {
  const delivered = createDeliveredIds(() => 0)
  const written = delivered.writing(1, [DELIVERED], 0)
  expect([delivered.crossed(1), written(), delivered.newest()]).toEqual([true, [], []])
  expect(delivered.writing(2, [DELIVERED], 0)()).toEqual([DELIVERED])
  expect([delivered.crossed(2), delivered.newest()]).toEqual([true, []])
  expect(delivered.crossed('never asked')).toBe(true)
})

test('[M83] of what its client has the newest is told, each delivery and each id counted', () => {
  const delivered = createDeliveredIds(() => 0)
  const own = (conversation: string) => ({ ...DELIVERED, conversation })
  for (const [id, name] of ['one', 'two', 'three'].entries()) delivered.writing(id, [own(name)], 0)()
  expect(delivered.newest(5)).toEqual([own('two'), own('three')])
  expect(delivered.newest(6)).toEqual(delivered.newest())
})

test('[C41] what a later request of the same conversation brings proves what its client had when it was made', () => {
  let now = 0
  const delivered = createDeliveredIds(() => now)
  const of = (conversation: string, reply: string) => ({ conversation, replies: [reply] })
  const [first, elsewhere, second, third] = [of('work', '1'), of('other', '2'), of('work', '3'), of('work', '4')]
  delivered.writing(1, [first, elsewhere], 0)()
  delivered.writing(2, [], 0)()
  expect(delivered.newest()).toEqual([first, elsewhere])
  now = 5
  delivered.writing(3, [second], 0)()
  expect(delivered.newest()).toEqual([elsewhere, second])
  // It was made before the one before was written.
  delivered.writing(4, [third], 4)()
  expect(delivered.newest()).toEqual([elsewhere, second, third])
  // Another one is on its way, and proves nothing yet.
  delivered.writing(5, [of('work', '5')], 5)
  expect(delivered.newest()).toEqual([elsewhere, second, third])
})

test('[M76] of an answer that brought nothing there is nothing to take back, however late', () => {
  let now = 0
  const delivered = createDeliveredIds(() => now)
  expect(delivered.writing(1, [], 0)()).toEqual([])
  now = 6000
  expect(delivered.crossed(1)).toBe(true)
  delivered.writing(2, [DELIVERED], 0)()
  now = 11_000
  expect([delivered.crossed(2), delivered.newest()]).toEqual([true, []])
})

test('[M76] of an answer whose every conversation is proven nothing is kept, not even its id', () => {
  let at = 0
  const ids = createDeliveredIds(() => at)
  ids.writing('first', [{ conversation: 'work', replies: ['1'] }], 0)()
  at = 10_000
  ids.writing('second', [{ conversation: 'work', replies: ['2'] }], 10_000)()
  expect(ids.crossed('first')).toBe(true)
})
