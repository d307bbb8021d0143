import { expect } from 'vitest'
import { type LogEntry, NO_ENTRY } from '../journal.ts'
import type { Page } from '../views.ts'
import { idOf, write } from './collector.ts'
import type { LogTest } from './place.ts'

export function readRules(test: LogTest, durable: boolean) {
  test('[L8] pages go by cursor in both directions, in one conversation and in all', async ({ log }) => {
    const entries: LogEntry[] = []
    for (const n of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) entries.push(...(await write(log, n % 2 ? 'odd' : 'even', [n])))
    const id = (n: number) => idOf(entries[n])
    const bodies = async (page: Page) => (await log.read(page)).map(({ body }) => body)

    expect(await bodies({ limit: 3 })).toEqual([0, 1, 2])
    expect(await bodies({ after: id(2), limit: 3 })).toEqual([3, 4, 5])
    expect(await bodies({ after: id(9), limit: 3 })).toEqual([])
    expect(await bodies({ before: id(7), limit: 3 })).toEqual([4, 5, 6])
    expect(await bodies({ before: id(1), limit: 3 })).toEqual([0])
    expect(await bodies({ before: NO_ENTRY, limit: 3 })).toEqual([])
    expect(await bodies({ after: id(2), before: id(5), limit: 9 })).toEqual([3, 4])
    expect(await bodies({ after: id(2), before: id(8), limit: 2 })).toEqual([3, 4])
    expect(await bodies({ conversation: 'odd', after: id(2), limit: 2 })).toEqual([3, 5])
    expect(await bodies({ conversation: 'odd', before: id(8), limit: 2 })).toEqual([5, 7])
    expect(await bodies({ conversation: 'odd', after: id(1), before: id(7), limit: 9 })).toEqual([3, 5])
    expect(await bodies({ conversation: 'none', limit: 9 })).toEqual([])
  })

  test('[L9] an entry is found by its key', async ({ log }) => {
    const [entry] = await log.append('a', NO_ENTRY, [{ key: 'k', body: 1 }])
    expect(await log.find('a', 'k')).toEqual(entry)
    expect(await log.find('a', 'other')).toBeUndefined()
    expect(await log.find('b', 'k')).toBeUndefined()
  })

  test('[L14] conversations come newest first, in pages', async ({ log }) => {
    expect(await log.last()).toBe(NO_ENTRY)
    expect(await log.conversations({ limit: 9 })).toEqual([])
    for (const name of ['a', 'b', 'c', 'a']) await write(log, name, [name])
    const all = await log.conversations({ limit: 9 })
    expect(all.map(({ conversation }) => conversation)).toEqual(['a', 'c', 'b'])
    expect(all[0]?.last).toBe(await log.last())
    expect(await log.conversations({ limit: 2 })).toEqual(all.slice(0, 2))
    expect(await log.conversations({ before: all[1]?.last, limit: 2 })).toEqual(all.slice(2))
  })

  test('[L15] the newest snapshot is kept, and an older one never takes its place', async ({ log }) => {
    expect(await log.snapshots.get('a', 1)).toBeUndefined()
    const [one, two] = await write(log, 'a', [1, 2])
    await log.snapshots.put('a', { format: 1, at: idOf(two), state: { sum: 3 } })
    await log.snapshots.put('a', { format: 1, at: idOf(one), state: { sum: 1 } })
    expect(await log.snapshots.get('a', 1)).toEqual({ format: 1, at: idOf(two), state: { sum: 3 } })
    await log.snapshots.put('a', { format: 1, at: idOf(two), state: { sum: 'three' } })
    expect(await log.snapshots.get('a', 1)).toEqual({ format: 1, at: idOf(two), state: { sum: 'three' } })
    expect(await log.snapshots.get('b', 1)).toBeUndefined()
  })

  test('[L39] a snapshot of another format is as good as none, and gives way to a newer format only', async ({
    log,
  }) => {
    const [one, two] = await write(log, 'a', [1, 2])
    const newer = { format: 2, at: idOf(one), state: 'newer' }
    await log.snapshots.put('a', { format: 1, at: idOf(two), state: 'older' })
    expect([await log.snapshots.get('a', 2), await log.snapshots.get('a', 0)]).toEqual([undefined, undefined])
    await log.snapshots.put('a', newer)
    await log.snapshots.put('a', { format: 1, at: idOf(two), state: 'older' })
    expect(await log.snapshots.get('a', 1)).toBeUndefined()
    expect(await log.snapshots.get('a', 2)).toEqual(newer)
  })

  if (durable)
    test('[L15] [L39] a snapshot is there after the log was opened again, with its format', async ({ log, reopen }) => {
      const [one] = await write(log, 'a', [1])
      await log.snapshots.put('a', { format: 7, at: idOf(one), state: [1] })
      const opened = await reopen()
      expect(await opened.snapshots.get('a', 7)).toEqual({ format: 7, at: idOf(one), state: [1] })
      expect(await opened.snapshots.get('a', 6)).toBeUndefined()
    })
}
