import { expect } from 'vitest'
import { Conflict, type LogEntry, NO_ENTRY } from '../../../src/log/journal.ts'
import { NO_NOTE } from '../../../src/log/notes.ts'
import { collect, idOf, write } from './collector.ts'
import type { LogTest } from './place.ts'

export function forgetRules(test: LogTest, durable: boolean) {
  test('[L43] what is forgotten is gone as a whole, and nothing else is', async ({ log }) => {
    const [first] = await write(log, 'a', [1, 2])
    await log.append('a', await log.last(), [{ key: 'k', body: { names: ['hash-1'] } }])
    const kept = await write(log, 'b', [3, { names: ['hash-2'] }])
    for (const name of ['a', 'b']) await log.snapshots.put(name, { format: 1, at: NO_ENTRY, state: 1 })
    for (const name of ['of a', 'of b']) await log.notes.put(name, 1, NO_NOTE)
    const { last = '' } = (await log.conversations({ limit: 9 })).find(({ conversation }) => conversation === 'a') ?? {}

    await expect(log.forget('a', idOf(first))).rejects.toThrow(Conflict)
    expect(await log.read({ limit: 9 })).toHaveLength(5)
    await log.forget('a', last, ['of a'])
    await log.forget('never', NO_ENTRY)
    await log.erased()
    expect(await log.read({ limit: 9 })).toEqual(kept)
    expect(await log.read({ conversation: 'a', limit: 9 })).toEqual([])
    expect(await log.find('a', 'k')).toBeUndefined()
    expect((await log.conversations({ limit: 9 })).map(({ conversation }) => conversation)).toEqual(['b'])
    expect(await log.last()).toBe(idOf(kept.at(-1)))
    const beside = [
      ...['a', 'b'].map((name) => log.snapshots.get(name, 1)),
      ...['of a', 'of b'].map((name) => log.notes.get(name)),
    ]
    expect((await Promise.all(beside)).map((one) => one !== undefined)).toEqual([false, true, false, true])
    expect(await log.named(['hash-1', 'hash-2'])).toEqual(['hash-2'])

    const [again] = await log.append('a', NO_ENTRY, [{ key: 'k', body: 'anew' }])
    expect(await log.read({ conversation: 'a', limit: 9 })).toEqual([again])
  })

  test('[F27] a name leads to the conversations whose entries have it, and no words do', async ({ log }) => {
    await write(log, 'a', [{ names: ['one', 'both'] }, 'three'])
    const entries = await write(log, 'b', [{ names: ['both', 'both'] }, { words: 'one', names: [] }])
    const all = ['one', 'both', 'three']
    expect(await log.named(all)).toEqual(['one', 'both'])
    expect(await log.named(all, 'a')).toEqual(['one', 'both'])
    expect(await log.named(all, 'b')).toEqual(['both'])
    expect(await log.named(all, 'never')).toEqual([])
    await log.forget('b', idOf(entries.at(-1)))
    await write(log, 'b', ['anew'])
    expect([await log.named(all), await log.named(all, 'b')]).toEqual([['one', 'both'], []])
  })

  test('[L44] followers are told in order, and a reader in the middle of it goes on behind it', async ({ log }) => {
    const [first, second] = await write(log, 'a', ['one', 'two'])
    const told = [tellingOf(log, { after: NO_ENTRY }), tellingOf(log, { conversation: 'a', after: NO_ENTRY })]
    const other = tellingOf(log, { conversation: 'b', after: NO_ENTRY })
    await Promise.all(told.map(({ until }) => until(2)))
    await log.forget('a', idOf(second))
    const resumed = collect(log, { after: idOf(first) })
    await write(log, 'a', ['three'])
    await write(log, 'b', ['four'])
    await Promise.all([told[0]?.until(5), told[1]?.until(4), other.until(1), resumed.until(2)])
    expect(told[0]?.all).toEqual(['one', 'two', 'forgotten a', 'three', 'four'])
    expect(told[1]?.all).toEqual(['one', 'two', 'forgotten a', 'three'])
    expect(other.all).toEqual(['four'])
    expect(resumed.all().map(({ body }) => body)).toEqual(['three', 'four'])
  })

  test('[L44] who is slow is never told what was forgotten meanwhile', async ({ log }) => {
    await write(log, 'b', [0])
    const busy = Promise.withResolvers<void>()
    const slow = collect(log, { after: NO_ENTRY }, () => busy.promise)
    await slow.until(1)
    const entries = await write(log, 'a', [1, 2])
    await log.forget('a', idOf(entries.at(-1)))
    const [after] = await write(log, 'b', [3])
    busy.resolve()
    await slow.until(2)
    expect(slow.ids().at(-1)).toBe(idOf(after))
    expect(slow.all()).toHaveLength(2)
  })

  test('[L44] ids go on growing, and it is known up to where something may be gone', async ({ log }) => {
    expect(await log.forgottenTo()).toBe(NO_ENTRY)
    const [only] = await write(log, 'a', [1])
    await log.forget('a', idOf(only))
    expect(await log.last()).toBe(NO_ENTRY)
    expect(await log.forgottenTo()).toBe(idOf(only))
    const [next] = await write(log, 'a', [2])
    expect(idOf(next) > idOf(only)).toBe(true)
  })

  if (durable)
    test('[L43] [L44] it stays forgotten, and its ids stay used, when the log is opened again', async ({
      log,
      reopen,
    }) => {
      const [only] = await write(log, 'a', [1])
      await log.forget('a', idOf(only))
      const opened = await reopen()
      expect(await opened.read({ limit: 9 })).toEqual([])
      expect(await opened.forgottenTo()).toBe(idOf(only))
    })

  if (durable)
    test('[F27] names are there when the log is opened again', async ({ log, reopen }) => {
      await write(log, 'a', [{ names: ['one'] }])
      expect(await (await reopen()).named(['one', 'two'], 'a')).toEqual(['one'])
    })
}

/** What a follower is told, in the order in which it is. */
function tellingOf(log: Parameters<typeof collect>[0], from: Parameters<typeof collect>[1]) {
  const all: unknown[] = []
  let waiting: { count: number; resolve(): void } | undefined
  log.follow(from, {
    entries: (entries: LogEntry[]) => note(...entries.map(({ body }) => body)),
    forgotten: (conversation) => note(`forgotten ${conversation}`),
    failed(error) {
      throw error
    },
  })
  return { all, until }

  function note(...news: unknown[]) {
    all.push(...news)
    if (waiting && all.length >= waiting.count) waiting.resolve()
  }

  function until(count: number) {
    return new Promise<void>((resolve) => {
      waiting = { count, resolve }
      if (all.length >= count) resolve()
    })
  }
}
