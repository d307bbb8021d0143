import { expect, vi } from 'vitest'
import { type LogEntry, NO_ENTRY } from '../../../src/log/journal.ts'
import { collect, DEAF, idOf, write } from './collector.ts'
import type { LogTest } from './place.ts'

export function followRules(test: LogTest) {
  test('[L10] follow hands over each entry once and in order, however appends race with it', async ({ log }) => {
    const history = [...(await write(log, 'a', [1, 2, 3])), ...(await write(log, 'b', [4]))]
    const racing = [write(log, 'a', [5, 6, 7]), write(log, 'b', [8, 9, 10])]
    const early = collect(log, { after: NO_ENTRY })
    const ofB = collect(log, { conversation: 'b', after: NO_ENTRY })
    await racing[0]
    const late = collect(log, { after: idOf(history[1]) })
    await Promise.all([...racing, write(log, 'c', [11, 12])])
    await Promise.all([early.until(12), ofB.until(4), late.until(10)])

    const all = await log.read({ limit: 99 })
    expect(early.all()).toEqual(all)
    expect(late.all()).toEqual(all.slice(2))
    expect(ofB.all()).toEqual(await log.read({ conversation: 'b', limit: 99 }))
  })

  test('[L10] a history of many pages is handed over without a gap', async ({ log }) => {
    const drafts = Array.from({ length: 1000 }, (_, body) => ({ body }))
    const entries = await log.append('a', NO_ENTRY, drafts)
    const follower = collect(log, { conversation: 'a', after: NO_ENTRY })
    const more = await log.append('a', idOf(entries.at(-1)), drafts)
    await follower.until(2000)
    expect(follower.all()).toEqual([...entries, ...more])
  })

  test('[L10] a follower starts where it asks to, also beyond the end', async ({ log }) => {
    const [entry] = await write(log, 'a', [1])
    const beyond = String(Number(idOf(entry)) + 60_000_000_000)
    const future = collect(log, { after: beyond })
    const now = collect(log, { after: idOf(entry) })
    await write(log, 'a', [2, 3])
    await now.until(2)
    expect(now.all().map(({ body }) => body)).toEqual([2, 3])
    expect(future.calls()).toBe(0)
  })

  test('[L11] a follower that returns a promise is not called meanwhile and gets the rest after', async ({ log }) => {
    let release = () => {}
    const follower = collect(log, { conversation: 'a', after: NO_ENTRY }, () => {
      return new Promise<void>((resolve) => {
        release = resolve
      })
    })
    await write(log, 'a', [0])
    await follower.until(1)
    await write(log, 'a', [1, 2, 3])
    expect(follower.calls()).toBe(1)
    release()
    await follower.until(4)
    await write(log, 'a', [4])
    expect(follower.calls()).toBe(2)
    release()
    await follower.until(5)
    expect(follower.all().map(({ body }) => body)).toEqual([0, 1, 2, 3, 4])
  })

  test('[L12] a closed follower is called no more', async ({ log }) => {
    await write(log, 'a', [1])
    const never = collect(log, { after: NO_ENTRY })
    never.close()
    const witness = collect(log, { after: NO_ENTRY })
    const once = collect(log, { after: NO_ENTRY }, () => once.close())
    await once.until(1)
    await write(log, 'a', [2])
    log.signal('a', 'typing')
    await witness.until(2)
    expect([never.all().length, never.signals.length]).toEqual([0, 0])
    expect([once.all().length, once.signals.length]).toEqual([1, 0])
  })

  test('[L12] a follower closed while its history is being read is called no more', async ({ log }) => {
    await write(log, 'a', [1])
    const callsAfterClose: number[] = []
    for (let ticks = 0; ticks < 10; ticks += 1) {
      const follower = collect(log, { after: NO_ENTRY })
      for (let tick = 0; tick < ticks; tick += 1) await undefined
      follower.close()
      const calls = follower.calls()
      const witness = collect(log, { after: NO_ENTRY })
      await witness.until(1)
      callsAfterClose.push(follower.calls() - calls)
    }
    expect(callsAfterClose).toEqual(Array(10).fill(0))
  })

  test('[L12] closing a follower twice takes nothing from those that came after it', async ({ log }) => {
    const gone = collect(log, { conversation: 'a', after: NO_ENTRY })
    gone.close()
    const stays = collect(log, { conversation: 'a', after: NO_ENTRY })
    gone.close()
    await write(log, 'a', [1])
    await stays.until(1)
    await write(log, 'a', [2])
    await stays.until(2)
  })

  test('[L12] a follower closed by another one is not called even for the same signal', async ({ log }) => {
    const heard: string[] = []
    const first = log.follow({ after: NO_ENTRY }, { ...DEAF, signal: () => closeOther('first', second) })
    const second = log.follow({ after: NO_ENTRY }, { ...DEAF, signal: () => closeOther('second', first) })
    log.signal('a', 'typing')
    expect(heard).toHaveLength(1)

    function closeOther(name: string, other: { close(): void }) {
      heard.push(name)
      other.close()
    }
  })

  test('[L13] a signal reaches the followers at once and is never stored', async ({ log }) => {
    const ofA = collect(log, { conversation: 'a', after: NO_ENTRY })
    const ofB = collect(log, { conversation: 'b', after: NO_ENTRY })
    const ofAll = collect(log, { after: NO_ENTRY })
    log.signal('a', { typing: true })
    expect(ofA.signals).toEqual([['a', { typing: true }]])
    expect(ofAll.signals).toEqual([['a', { typing: true }]])
    expect(ofB.signals).toEqual([])
    expect(await log.read({ limit: 9 })).toEqual([])
  })

  test('[L16] who follows live has an entry before its append resolves, one commit at a time', async ({ log }) => {
    const follower = collect(log, { after: NO_ENTRY })
    await write(log, 'a', [1])
    await follower.until(1)
    const [, last] = await log.append('b', NO_ENTRY, [{ body: 2 }, { body: 3 }])
    expect(follower.batches.at(-1)?.map(({ body }) => body)).toEqual([2, 3])
    expect(follower.ids().at(-1)).toBe(idOf(last))
  })

  test('[L16] what a follower appends comes to every follower after what it was told', async ({ log }) => {
    log.follow(
      { conversation: 'a', after: NO_ENTRY },
      {
        ...DEAF,
        entries: ([entry]) => {
          if (entry?.body === 'ping') log.append('a', idOf(entry), [{ body: 'pong' }])
        },
      },
    )
    const witness = collect(log, { conversation: 'a', after: NO_ENTRY })
    await write(log, 'a', ['both are live now'])
    await witness.until(1)
    await write(log, 'a', ['ping'])
    await witness.until(3)
    expect(witness.all().map(({ body }) => body)).toEqual(['both are live now', 'ping', 'pong'])
  })

  test('[L17] closing the log ends its followers without a failure, also those still reading history', async ({
    log,
  }) => {
    await log.append('a', NO_ENTRY, Array(600).fill({ body: 'history' }))
    const failed = vi.fn()
    const reading = new Promise<void>((resolve) => {
      log.follow({ after: NO_ENTRY }, { entries: () => resolve(), failed })
    })
    await reading
    const append = log.append('b', NO_ENTRY, [{ body: 1 }])
    await log.close()
    await append
    expect(failed).not.toHaveBeenCalled()
  })

  test('[L18] a follower that throws ends alone and is told so', async ({ log }) => {
    const failed = vi.fn()
    const seen: LogEntry[] = []
    const bug = new Error('a bug in the follower')
    log.follow(
      { after: NO_ENTRY },
      {
        entries: (entries) => {
          seen.push(...entries)
          if (seen.length > 1) throw bug
        },
        failed,
      },
    )
    const other = collect(log, { after: NO_ENTRY })
    await write(log, 'a', [1])
    await other.until(1)
    await write(log, 'a', [2, 3])
    await other.until(3)
    expect(seen.map(({ body }) => body)).toEqual([1, 2])
    expect(failed.mock.calls).toEqual([[bug]])
  })

  test('[L18] a follower whose promise is rejected ends alone and is told so, live or in its history', async ({
    log,
  }) => {
    const bug = new Error('a bug in the follower')
    const other = collect(log, { after: NO_ENTRY })
    const [first] = await write(log, 'a', ['history'])
    const [inHistory, live] = [NO_ENTRY, idOf(first)].map((after) => failureOf({ after }))
    expect(await inHistory).toBe(bug)
    await other.until(1)
    await write(log, 'a', [2, 3])
    expect(await live).toBe(bug)
    await other.until(3)

    function failureOf(from: { after: string }) {
      return new Promise((resolve) => log.follow(from, { entries: () => Promise.reject(bug), failed: resolve }))
    }
  })
}
