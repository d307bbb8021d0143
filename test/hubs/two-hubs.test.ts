import { expect, onTestFinished, test } from 'vitest'
import { createChat } from '../../src/chat/chat.ts'
import { openSqliteLog } from '../../src/log/sqlite/sqlite-log.ts'
import type { Log } from '../../src/log/views.ts'
import { storedBody } from '../../src/protocol/entries/stored.ts'
import { localPrincipal, type Principal } from '../../src/protocol/principal.ts'
import { SOAK } from '../log/contract/place.ts'
import { newLog } from '../support/chat.ts'

const ENGINES: Record<string, () => Log | Promise<Log>> = {
  memory: newLog,
  SQLite: () => openSqliteLog(':memory:', { readBody: storedBody }),
}
const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const OTHER: Principal = { ...RUNNER, id: 'other', name: 'other' }
const ROUNDS = 10 * SOAK

/** Two hubs of today on one log. */
async function openTwo(open: () => Log | Promise<Log>) {
  const log = await open()
  const fail = (error: unknown) => {
    throw error
  }
  // The log outlives each hub.
  const journal = { ...log, close: async () => {} }
  const hubs = [0, 1].map(() => createChat({ journal, views: log, notes: log.notes, report: fail, failed: fail }))
  await Promise.all(hubs.map(({ ready }) => ready))
  onTestFinished(async () => {
    for (const hub of hubs) await hub.close()
    await log.close()
  })
  return {
    log,
    hubs: hubs as [(typeof hubs)[0], (typeof hubs)[0]],
    admins: hubs.map((hub) => hub.as(localPrincipal('admin'))),
  }
}

for (const [engine, open] of Object.entries(ENGINES)) {
  test(`[N1] of two orchestrators at two hubs one holds a conversation (${engine})`, async () => {
    const { hubs } = await openTwo(open)
    const drivers = [hubs[0].as(RUNNER).driver(), hubs[1].as(OTHER).driver()]
    for (let round = 0; round < ROUNDS; round++) {
      const name = `work-${round}`
      // Both have looked before, and found it free.
      for (const driver of drivers) await expect(driver.mustHold(name, 'a')).rejects.toMatchObject({ code: 'not_held' })
      const held = await Promise.all(drivers.map((driver) => driver.acquire(name, 'a', 30)))
      const holders = held.flatMap(({ held }, n) => (held ? [n] : []))
      expect(holders).toHaveLength(1)
      const [holder = 0] = holders
      await expect(drivers[1 - holder]?.mustHold(name, 'a')).rejects.toMatchObject({ code: 'held_by_other' })
      expect(await drivers[holder]?.release(name, 'a')).toBe(true)
      expect(await drivers[1 - holder]?.acquire(name, 'a', 30)).toMatchObject({ held: true })
    }
  })

  test(`[N2] a subscriber that reads at two hubs gets each message once (${engine})`, async () => {
    const { hubs, admins } = await openTwo(open)
    const [admin] = admins
    const readers = hubs.map((hub) => hub.as({ id: 'reader', name: 'reader', role: 'orchestrator' }).inbox)
    const said: string[] = []
    const got: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (const text of ['one', 'two', 'three']) said.push((await admin?.say('work', { text }))?.id ?? '')
      const pages = await Promise.all(readers.map((reader) => reader.readAndAdvance(undefined, 2)))
      got.push(...pages.flatMap(({ messages }) => messages.map(({ id }) => id)))
    }
    for (const reader of readers) got.push(...(await reader.readAndAdvance(undefined)).messages.map(({ id }) => id))
    expect(got.toSorted()).toEqual(said)
  })

  test(`[N3] what a person keeps at two hubs is all kept, and the pages of each are told (${engine})`, async () => {
    const { hubs, admins } = await openTwo(open)
    await admins[0]?.say('work', { text: 'Hello' })
    const ada: Principal = { id: 'ada', name: 'ada', role: 'human' }
    const desks = hubs.map((hub) => hub.as(ada).preferences())
    const told: unknown[][] = [[], []]
    desks.forEach((desk, n) => {
      desk.follow({
        marks: (marks) => void told[n]?.push(marks),
        replies: (replies) => void told[n]?.push(replies.map(({ name }) => name)),
      })
    })
    await Promise.all(desks.map((desk, n) => desk.keepReply({ name: `reply-${n}`, text: 'Yes' })))
    for (const hub of hubs) {
      const { replies } = await hub.as(ada).preferences().show([])
      expect(replies.map(({ name }) => name).toSorted()).toEqual(['reply-0', 'reply-1'])
    }
    await desks[0]?.change({ work: { pinned: true } })
    expect(told[1]).toContainEqual({ work: { pinned: true } })
    expect(told[0]).not.toContainEqual({ work: { pinned: true } })
    expect(await desks[1]?.atHand()).toEqual(['work'])
  })

  test(`[N4] a file that was uploaded at one hub can be said at the other, by who uploaded it (${engine})`, async () => {
    const { hubs } = await openTwo(open)
    const [ada, eve] = ['ada', 'eve'].map((id): Principal => ({ id, name: id, role: 'human' })) as [
      Principal,
      Principal,
    ]
    await hubs[1].as(ada).files.mayRead('hash')
    await hubs[0].as(ada).files.uploaded('hash')
    expect(await hubs[1].as(ada).files.mayRead('hash')).toBe(true)
    expect(await hubs[1].as(eve).files.mayRead('hash')).toBe(false)
  })
}
