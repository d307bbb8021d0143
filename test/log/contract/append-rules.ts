import { expect } from 'vitest'
import { Conflict, NO_ENTRY } from '../../../src/log/journal.ts'
import { collect, DEAF, idOf, write } from './collector.ts'
import type { LogTest } from './place.ts'

export function appendRules(test: LogTest, durable: boolean) {
  test('[L1] ids are 16 decimal digits and grow through the whole log', async ({ log }) => {
    const first = await write(log, 'a', [1, 2])
    const second = await write(log, 'b', [3])
    const third = await write(log, 'a', [4])
    const ids = [...first, ...second, ...third].map(({ id }) => id)
    expect(ids.every((id) => /^\d{16}$/.test(id))).toBe(true)
    expect(ids).toEqual([...new Set(ids)].sort())
    expect(await log.last()).toBe(ids.at(-1))
  })

  if (durable)
    test('[L1] ids go on growing after the log was opened again', async ({ log, reopen }) => {
      const [before] = await write(log, 'a', [1])
      const [after] = await write(await reopen(), 'b', [2])
      expect(idOf(after) > idOf(before)).toBe(true)
    })

  test('[L2] an append resolves with one entry for each draft, in order, and they can be read', async ({ log }) => {
    const entries = await log.append('a', NO_ENTRY, [{ body: 1 }, { key: 'k', body: { deep: ['x'] } }, { body: null }])
    expect(entries.map(({ body }) => body)).toEqual([1, { deep: ['x'] }, null])
    expect(entries.map(({ key }) => key)).toEqual([undefined, 'k', undefined])
    expect(entries.every(({ at }) => Math.abs(at - Date.now()) < 60_000)).toBe(true)
    expect(await log.read({ conversation: 'a', limit: 9 })).toEqual(entries)
  })

  test('[L64] an entry has one time wherever it is told, and so has all of one append', async ({ log }) => {
    const live = collect(log, { after: NO_ENTRY })
    const drafts = Array.from({ length: 3000 }, (_, n) => ({ key: `k${n}`, body: n }))
    const [began, entries, ended] = [Date.now(), await log.append('a', NO_ENTRY, drafts), Date.now()]
    const times = entries.map(({ at }) => at)
    expect(new Set(times).size).toBe(1)
    expect(times[0]).toBeGreaterThanOrEqual(began)
    expect(times[0]).toBeLessThanOrEqual(ended)
    await live.until(3000)
    expect([live.all(), await log.read({ limit: 3000 })]).toEqual([entries, entries])
    expect([await log.find('a', 'k7'), ...(await log.append('a', NO_ENTRY, [{ key: 'k9', body: 0 }]))]).toEqual([
      entries[7],
      entries[9],
    ])
  })

  test('[L2] an append of no drafts answers with none', async ({ log }) => {
    expect(await log.append('a', NO_ENTRY, [])).toEqual([])
    expect(await log.conversations({ limit: 9 })).toEqual([])
  })

  test('[L2] what is no JSON value is refused and disturbs no other append', async ({ log }) => {
    const refused = [undefined, () => 1, Symbol('s'), 1n].map((body) =>
      log.append('a', NO_ENTRY, [{ body: 'not alone' }, { body }]),
    )
    const stored = log.append('b', NO_ENTRY, [{ body: 1 }])
    for (const append of refused) await expect(append).rejects.toThrow(TypeError)
    expect(await log.read({ limit: 9 })).toEqual(await stored)
  })

  if (durable)
    test('[L2] what an append resolved with is there after re-opening', async ({ log, reopen }) => {
      const entries = await write(log, 'a', ['é', '\ud83d\ude00', 'line\nbreak', { 'nul\0': '\0' }])
      expect(await (await reopen()).read({ conversation: 'a', limit: 9 })).toEqual(entries)
    })

  test('[L3] a stale expected id is refused with Conflict and appends nothing', async ({ log }) => {
    const [first] = await write(log, 'a', [1, 2])
    await expect(log.append('a', idOf(first), [{ body: 3 }])).rejects.toThrow(Conflict)
    await expect(log.append('a', NO_ENTRY, [{ body: 3 }])).rejects.toThrow(Conflict)
    await expect(log.append('new', idOf(first), [{ body: 3 }, { body: 4 }])).rejects.toThrow(Conflict)
    expect((await log.read({ limit: 9 })).map(({ body }) => body)).toEqual([1, 2])
  })

  test('[L4] of appends racing from one expected id exactly one wins', async ({ log }) => {
    const [last] = await write(log, 'a', ['start'])
    const racers = Array.from({ length: 20 }, (_, n) => log.append('a', idOf(last), [{ body: n }, { body: n }]))
    const results = await Promise.allSettled(racers)
    const wins = results.filter(({ status }) => status === 'fulfilled')
    const losses = results.filter((result) => result.status === 'rejected' && result.reason instanceof Conflict)
    expect([wins.length, losses.length]).toEqual([1, 19])
    expect(await log.read({ conversation: 'a', limit: 9 })).toHaveLength(3)
  })

  test('[L4] a refused append does not disturb those queued with it', async ({ log }) => {
    const refused = log.append('a', '1', [{ body: 0 }])
    const others = ['b', 'c'].map((name) => log.append(name, NO_ENTRY, [{ body: name }]))
    await expect(refused).rejects.toThrow(Conflict)
    expect((await Promise.all(others)).flat().map(({ body }) => body)).toEqual(['b', 'c'])
  })

  test('[L5] a repeated key yields the first entry and appends nothing', async ({ log }) => {
    const [first, twin] = await log.append('a', NO_ENTRY, [
      { key: 'k', body: 1 },
      { key: 'k', body: 2 },
    ])
    expect(twin).toEqual(first)
    const [again, fresh] = await log.append('a', idOf(first), [{ key: 'k', body: 3 }, { body: 4 }])
    expect(again).toEqual(first)
    expect(await log.read({ conversation: 'a', limit: 9 })).toEqual([first, fresh])
  })

  if (durable)
    test('[L5] a key is still held after the log was opened again', async ({ log, reopen }) => {
      const entries = await log.append('a', NO_ENTRY, [{ key: 'k', body: 1 }])
      const opened = await reopen()
      expect(await opened.append('a', NO_ENTRY, [{ key: 'k', body: 2 }])).toEqual(entries)
      expect(await opened.find('a', 'k')).toEqual(entries[0])
    })

  test('[L6] drafts whose keys are all held are answered whatever id was expected', async ({ log }) => {
    const [one, two] = await log.append(
      'a',
      NO_ENTRY,
      ['1', '2'].map((key) => ({ key, body: key })),
    )
    const [twice, once] = await log.append(
      'a',
      '7',
      ['2', '1'].map((key) => ({ key, body: 'again' })),
    )
    expect([twice, once]).toEqual([two, one])
    await expect(log.append('a', '7', [{ key: '1', body: 1 }, { body: 2 }])).rejects.toThrow(Conflict)
    await expect(
      log.append('a', '7', [
        { key: '1', body: 1 },
        { key: '3', body: 2 },
      ]),
    ).rejects.toThrow(Conflict)
    expect(await log.last()).toBe(idOf(two))
  })

  test('[L7] one key in two conversations is two entries', async ({ log }) => {
    const [a] = await log.append('a', NO_ENTRY, [{ key: 'k', body: 'a' }])
    const [b] = await log.append('b', NO_ENTRY, [{ key: 'k', body: 'b' }])
    expect(await log.find('a', 'k')).toEqual(a)
    expect(await log.find('b', 'k')).toEqual(b)
  })

  test('[L17] close waits for queued appends, and then all is refused', async ({ log }) => {
    const bodies = Array.from({ length: 50 }, (_, n) => n)
    const appends = bodies.map((n) => log.append(`c${n}`, NO_ENTRY, [{ body: n }]))
    const closed = log.close()
    await expect(log.append('late', NO_ENTRY, [{ body: 0 }])).rejects.toThrow('closed')
    expect((await Promise.all(appends)).flat().map(({ body }) => body)).toEqual(bodies)
    await closed
    await expect(log.read({ limit: 1 })).rejects.toThrow('closed')
    expect(() => log.follow({ after: NO_ENTRY }, DEAF)).toThrow('closed')
  })

  if (durable)
    test('[L17] what was queued before close is there after re-opening', async ({ log, reopen }) => {
      const appends = ['a', 'b', 'c'].map((name) => log.append(name, NO_ENTRY, [{ body: name }]))
      const opened = await reopen()
      expect(await opened.read({ limit: 9 })).toEqual((await Promise.all(appends)).flat())
    })
}
