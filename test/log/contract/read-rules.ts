import { expect } from 'vitest'
import { type LogEntry, NO_ENTRY } from '../../../src/log/journal.ts'
import type { Page } from '../../../src/log/views.ts'
import { collect, idOf, write } from './collector.ts'
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

  test('[S60] a page is full at 4 MiB, has one entry at least, and says that it is not all', async ({ log }) => {
    const large = (letter: string) => letter.repeat(1.5 * 1024 * 1024)
    for (const letter of 'abcd') await write(log, 'work', [large(letter)])
    await write(log, 'work', ['e'.repeat(5 * 1024 * 1024), 'f'])
    const shown = async (page: Page) => {
      const read = await log.read({ conversation: 'work', ...page })
      return [read.map(({ body }) => String(body)[0]).join(''), read.full]
    }
    const all = await log.read({ after: NO_ENTRY, limit: 1 })
    expect(await shown({ limit: 100 })).toEqual(['ab', true])
    expect(await shown({ limit: 2 })).toEqual(['ab', undefined])
    expect(await shown({ before: '9'.repeat(16), limit: 100 })).toEqual(['f', true])
    expect(await shown({ after: idOf(all[0]), before: '9'.repeat(16), limit: 3 })).toEqual(['bc', true])
    const seen = collect(log, { after: NO_ENTRY })
    await seen.until(6)
    expect(seen.all().map(({ body }) => String(body)[0])).toEqual([...'abcdef'])
    expect(seen.batches.map((batch) => batch.length)).toEqual([2, 2, 1, 1])
    seen.close()
  })

  test('[S60] what is appended at once is told in pieces of a page', async ({ log }) => {
    const seen = collect(log, { after: NO_ENTRY })
    await write(log, 'first', [1])
    await seen.until(1)
    const body = 'x'.repeat(1.5 * 1024 * 1024)
    await Promise.all([...'abcdef'].map((name) => log.append(name, NO_ENTRY, [{ body }])))
    await seen.until(7)
    expect(Math.max(...seen.batches.map((batch) => batch.length))).toBeLessThanOrEqual(2)
    seen.close()
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
