import { expect, vi } from 'vitest'
import { NO_ENTRY } from '../../../src/log/journal.ts'
import { collect, idOf, write } from './collector.ts'
import type { LogTest, OpenLog } from './place.ts'

/** Values that are not what their JSON text is. */
const LOOK_ALIKES: unknown[] = [
  -0,
  [1, -0, { deep: -0 }],
  Number.NaN,
  [Number.POSITIVE_INFINITY],
  { gone: undefined, kept: 1 },
  [undefined, () => 1],
  new Date(0),
  new Map([[1, 2]]),
  { toJSON: () => 'said by itself' },
  JSON.parse('{"__proto__": 1, "2": "b", "1": "a"}'),
  'half of a pair \ud83d',
]

/** What the text of a body means, and that it means the same to everyone. */
export function bodyRules(test: LogTest, open: OpenLog, durable: boolean) {
  test('[L40] what is told live and answered is what is read later', async ({ log, reopen }) => {
    const live = collect(log, { after: NO_ENTRY })
    await write(log, 'a', ['live from here'])
    await live.until(1)
    const entries = await log.append(
      'b',
      NO_ENTRY,
      LOOK_ALIKES.map((body, n) => ({ key: `k${n}`, body })),
    )
    const bodies = entries.map(({ body }) => body)
    expect(bodies).toStrictEqual(LOOK_ALIKES.map((body) => JSON.parse(JSON.stringify(body))))
    expect(live.all().slice(1)).toStrictEqual(entries)

    const reader = durable ? await reopen() : log
    expect(await reader.read({ conversation: 'b', limit: 99 })).toStrictEqual(entries)
    expect(await reader.find('b', 'k0')).toStrictEqual(entries[0])
    expect(await reader.append('b', NO_ENTRY, [{ key: 'k0', body: 'again' }])).toStrictEqual([entries[0]])
    const late = collect(reader, { conversation: 'b', after: NO_ENTRY })
    await late.until(entries.length)
    expect(late.all()).toStrictEqual(entries)
  })

  test('[L40] what is changed after it was appended is stored as it was', async ({ log }) => {
    const body = { text: 'before' }
    const appended = log.append('a', NO_ENTRY, [{ body }])
    body.text = 'after'
    expect((await appended)[0]?.body).toEqual({ text: 'before' })
    expect((await log.read({ limit: 1 }))[0]?.body).toEqual({ text: 'before' })
  })

  test('[L40] names that would be read otherwise than they were written are refused', async ({ log }) => {
    const half = '\ud83d'
    await expect(log.append(half, NO_ENTRY, [{ body: 1 }])).rejects.toThrow(TypeError)
    await expect(log.append('a', NO_ENTRY, [{ body: 1 }, { key: half, body: 2 }])).rejects.toThrow(TypeError)
    const [entry] = await log.append('nul\0', NO_ENTRY, [{ key: '\0é🚀', body: 1 }])
    expect(await log.find('nul\0', '\0é🚀')).toEqual(entry)
    expect(await log.read({ limit: 9 })).toEqual([entry])
  })

  test('[L40] a body is read once for all who are live, as one object', async ({ place }) => {
    const readBody = vi.fn(JSON.parse)
    const log = await open(place, readBody)
    const followers = [undefined, undefined, 'a'].map((conversation) => collect(log, { conversation, after: NO_ENTRY }))
    await write(log, 'a', [{ n: 1 }])
    await Promise.all(followers.map((follower) => follower.until(1)))
    readBody.mockClear()
    const [entry] = await write(log, 'a', [{ n: 2 }])
    expect(readBody.mock.calls.filter(([text]) => text === '{"n":2}')).toHaveLength(1)
    for (const follower of followers) expect(follower.all()[1]).toBe(entry)
    await log.close()
  })

  test('[L51] what was checked before it was appended is looked at when it is read, not before', async ({ place }) => {
    const readBody = vi.fn(JSON.parse)
    const log = await open(place, readBody, true)
    const live = collect(log, { after: NO_ENTRY })
    await write(log, 'b', ['live from here'])
    await live.until(1)
    readBody.mockClear()
    const bodies = [{ n: 1, gone: undefined }, new Date(0), -0]
    const drafts = bodies.map((body) => ({ body }))
    const entries = await log.append('a', NO_ENTRY, drafts)
    expect(live.all().slice(1)).toEqual(entries)
    expect(entries.map(({ body }) => body)).toStrictEqual(bodies.map((body) => JSON.parse(JSON.stringify(body))))
    expect(readBody).not.toHaveBeenCalled()
    expect(await log.read({ conversation: 'a', limit: 9 })).toStrictEqual(entries)
    if (durable) expect(readBody.mock.calls.map(([text]) => text)).toEqual(bodies.map((body) => JSON.stringify(body)))
    await log.close()
  })

  test('[L41] a body that cannot be read is told as its text, and disturbs no other', async ({ place }) => {
    let log = await open(place, picky)
    const live = collect(log, { after: NO_ENTRY })
    await write(log, 'b', ['live from here'])
    await live.until(1)
    const drafts = ['first', 'unreadable', 'third'].map((body) => ({ key: body, body }))
    const [entries, [other]] = await Promise.all([
      log.append('a', NO_ENTRY, drafts),
      log.append('c', NO_ENTRY, [{ body: 'unreadable too' }]),
    ])
    expect(entries.map(({ body }) => body)).toEqual([['first'], '"unreadable"', ['third']])
    expect(live.all().slice(1)).toEqual([...entries, other])

    if (durable) {
      await log.close()
      log = await open(place, picky)
    }
    const late = collect(log, { conversation: 'a', after: NO_ENTRY })
    await late.until(3)
    expect(late.all()).toEqual(entries)
    expect(await log.read({ conversation: 'a', limit: 9 })).toEqual(entries)
    expect(await log.find('a', 'unreadable')).toEqual(entries[1])
    const [more] = await log.append('a', idOf(entries[2]), [{ body: 'fourth' }])
    expect(late.all()).toEqual([...entries, more])
    await log.close()
  })
}

function picky(text: string): unknown {
  if (text.includes('unreadable')) throw new Error('This reader knows no such word')
  return [JSON.parse(text)]
}
