import { expect } from 'vitest'
import { Conflict, NO_ENTRY } from '../../../src/log/journal.ts'
import { changeNote, NO_NOTE, type Notes } from '../../../src/log/notes.ts'
import { idOf, write } from './collector.ts'
import { type LogTest, SOAK } from './place.ts'

export function noteRules(test: LogTest, durable: boolean) {
  test('[L60] a note is put only at the revision that it has, and is as it was otherwise', async ({
    log: { notes },
  }) => {
    expect(await notes.get('a')).toBeUndefined()
    await expect(notes.put('a', 1, 7)).rejects.toThrow(Conflict)
    const first = await notes.put('a', { of: [1] }, NO_NOTE)
    expect(await notes.get('a')).toEqual({ name: 'a', value: { of: [1] }, revision: first })
    await expect(notes.put('a', 'late', NO_NOTE)).rejects.toThrow(Conflict)
    const second = await notes.put('a', null, first)
    await expect(notes.put('a', 'late', first)).rejects.toThrow(Conflict)
    expect(second).toBeGreaterThan(first)
    expect(await notes.get('a')).toEqual({ name: 'a', value: null, revision: second })
  })

  test('[L60] of those who put a note at once exactly one is right, and entries disturb none', async ({ log }) => {
    const puts = Array.from({ length: 20 }, (_, n) => log.notes.put('a', n, NO_NOTE))
    const [settled] = await Promise.all([Promise.allSettled(puts), write(log, 'a', [1])])
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const best = settled.findIndex(({ status }) => status === 'fulfilled')
    expect((await log.notes.get('a'))?.value).toBe(best)
  })

  test('[L61] no revision is given twice, also after its note was removed', async ({ log: { notes } }) => {
    const old = await notes.put('a', 1, NO_NOTE)
    await notes.forget(['a'])
    await expect(notes.put('a', 2, old)).rejects.toThrow(Conflict)
    const again = await notes.put('a', 2, NO_NOTE)
    expect(again).toBeGreaterThan(old)
    expect(await notes.put('b', 1, NO_NOTE)).toBeGreaterThan(again)
  })

  test('[L62] notes are removed by the beginning of their names, and no others are', async ({ log }) => {
    const names = ['of a', 'of a 1', 'of aé', 'of a\u{1F600}', 'of b', 'of', 'a']
    for (const name of names) await log.notes.put(name, 1, NO_NOTE)
    const [only] = await write(log, 'a', [1])
    await log.forget('a', idOf(only), ['of a 1'])
    expect(await left(log.notes, names)).toEqual(['of a', 'of aé', 'of a\u{1F600}', 'of b', 'of', 'a'])
    await log.notes.forget(['of a', 'never'])
    expect(await left(log.notes, names)).toEqual(['of b', 'of', 'a'])
    await expect(log.forget('a', '7', ['of'])).rejects.toThrow(Conflict)
    expect(await left(log.notes, names)).toEqual(['of b', 'of', 'a'])
  })

  test('[L63] who follows notes is told what they are, then each change, and what is gone', async ({ log }) => {
    const first = await log.notes.put('mark 1', 'one', NO_NOTE)
    await log.notes.put('other', 'never told', NO_NOTE)
    const told: unknown[] = []
    const begun = Promise.withResolvers<void>()
    const following = log.notes.follow('mark ', 'start', {
      note({ name, value }) {
        told.push([name, value])
        begun.resolve()
      },
      forgotten: (name) => told.push(name),
      failed: begun.reject,
    })
    await begun.promise
    await log.notes.put('mark 1', 'two', first)
    const [only] = await write(log, 'a', [1])
    await log.forget('a', idOf(only), ['mark 1'])
    await log.notes.put('mark 2', 'three', NO_NOTE)
    await log.notes.forget(['mark', 'other'])
    following.close()
    await log.notes.put('mark 3', 'never told', NO_NOTE)
    expect(told).toEqual([['mark 1', 'one'], ['mark 1', 'two'], 'mark 1', ['mark 2', 'three'], 'mark 2'])
  })

  test('[L63] what changes while a follower begins is never told older than it is', async ({ log: { notes } }) => {
    let revision = NO_NOTE
    for (let round = 0; round < 30 * SOAK; round++) {
      const told: number[] = []
      const changing = notes.put('a', round, revision)
      const following = notes.follow('a', 'start', {
        note: (note) => told.push(note.revision),
        failed: () => told.push(Infinity),
      })
      const again = changing.then((before) => notes.put('a', round, before))
      revision = await again
      await notes.get('a')
      following.close()
      expect(told.at(-1)).toBe(revision)
      expect(told).toEqual([...new Set(told)].sort((one, other) => one - other))
    }
  })

  test('[L63] a follower that throws is told so, and no other is disturbed', async ({ log: { notes } }) => {
    const failed = Promise.withResolvers<unknown>()
    const told: unknown[] = []
    notes.follow('', 'now', {
      note() {
        throw new Error('not mine')
      },
      failed: failed.resolve,
    })
    const other = Promise.withResolvers<void>()
    notes.follow('', 'now', {
      note({ value }) {
        told.push(value)
        other.resolve()
      },
      failed: other.reject,
    })
    await notes.put('a', 1, NO_NOTE)
    await other.promise
    expect(await failed.promise).toMatchObject({ message: 'not mine' })
    expect(told).toEqual([1])
  })

  test('[L60] many who count in one note lose no count', async ({ log: { notes } }) => {
    const count = () => changeNote(notes, 'count', (value) => Number(value ?? 0) + 1)
    await Promise.all(Array.from({ length: 25 }, count))
    expect((await notes.get('count'))?.value).toBe(25)
    await changeNote(notes, 'count', () => undefined)
    expect((await notes.get('count'))?.value).toBe(25)
  })

  test('[L40] names and values of notes that could not be read as they were written are refused', async ({ log }) => {
    await expect(log.notes.put('\ud800', 1, NO_NOTE)).rejects.toThrow(TypeError)
    await expect(log.notes.put('a', undefined, NO_NOTE)).rejects.toThrow(TypeError)
    await log.notes.put('a\u0000b', 1, NO_NOTE)
    expect(await left(log.notes, ['a', 'a\u0000b'])).toEqual(['a\u0000b'])
  })

  test('[L15] a note is no snapshot, and no entry', async ({ log }) => {
    await log.notes.put('a', 1, NO_NOTE)
    expect(await log.snapshots.get('a', 1)).toBeUndefined()
    expect([await log.last(), await log.conversations({ limit: 9 })]).toEqual([NO_ENTRY, []])
  })

  if (durable)
    test('[L60] [L61] notes and their revisions are there when the log is opened again', async ({ log, reopen }) => {
      const first = await log.notes.put('a', 1, NO_NOTE)
      const second = await log.notes.put('b', 2, NO_NOTE)
      await log.notes.forget(['b'])
      const { notes } = await reopen()
      expect(await notes.get('a')).toEqual({ name: 'a', value: 1, revision: first })
      expect(await notes.put('b', 3, NO_NOTE)).toBeGreaterThan(second)
    })
}

/** Those that are there. */
async function left(notes: Notes, names: string[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => notes.get(name)))
  return names.filter((_, n) => found[n] !== undefined)
}
