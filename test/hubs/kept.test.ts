import { expect, test } from 'vitest'
import type { Log } from '../../src/log/views.ts'
import type { Principal } from '../../src/protocol/principal.ts'
import { SOAK } from '../log/contract/place.ts'
import { openTestChat, until } from '../support/chat.ts'
import { ENGINES, sharedLog } from './several.ts'

const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const ADA: Principal = { id: 'ada', name: 'ada', role: 'human' }
const SNOOZE = { until: '2030-01-01' }
const ROUNDS = 5 * SOAK

async function openTwo(log: Log) {
  const hubs = [openTestChat({ log }), openTestChat({ log })] as const
  await Promise.all(hubs.map(({ chat }) => chat.ready))
  return hubs
}

for (const [engine, open] of Object.entries(ENGINES)) {
  test(`[N11] what a driver receives at two hubs at once it receives once, and all of it (${engine})`, async () => {
    const hubs = await openTwo(await sharedLog(open))
    const [{ view }] = hubs
    const drivers = hubs.map(({ chat }) => chat.as(RUNNER).driver())
    await drivers[0]?.acquire('work', 'me', 300)
    for (let round = 0; round < ROUNDS; round++) {
      const ids: string[] = []
      for (const text of ['One', 'Two', 'Three']) ids.push((await view.say('work', { text })).id)
      const [first = '', second = '', third = ''] = ids
      const receive = async (wanted: string[][]) => {
        const answers = wanted.map((ids, n) => drivers[n]?.receive('work', 'me', `${ids} at ${n}`, ids))
        return (await Promise.all(answers)).map((answer) => answer?.received ?? [])
      }
      // What was said before is received at one hub while what came behind it is at the other.
      expect(await receive([[second], [third]])).toEqual([[second], [third]])
      expect((await receive([[first], [first]])).flat()).toEqual([first])
      expect((await receive([ids, ids])).flat()).toEqual([])
    }
  })

  test(`[N11] a message that is changed at one hub while a driver receives it at the other is known in its newest words (${engine})`, async () => {
    const [one, other] = await openTwo(await sharedLog(open))
    const driver = one.chat.as(RUNNER).driver()
    await driver.acquire('work', 'me', 300)
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await other.view.say('work', { text: `Before ${round}` })
      const after = `After ${round}`
      const [first, { id: change }] = await Promise.all([
        driver.receive('work', 'me', `${id} first`, [id]),
        other.view.revise('work', id, after),
      ])
      const rest = await driver.receive('work', 'me', `${id} rest`, [id, change])
      const told = [...(first.revised ?? []), ...(rest.revised ?? [])].map(({ text }) => text)
      expect([first.received, told.length]).toEqual([[id], 1])
      expect(told[0]).toMatch(new RegExp(`${after}$`))
    }
  })

  test(`[N12] a file that two hubs forget a conversation of is removed, also where one of them ends before it could (${engine})`, async () => {
    const log = await sharedLog(open)
    const { looking, goOn, views } = slow(log)
    const [first, second] = [filesOf(), filesOf()]
    const one = openTestChat({ log, views, files: first.files })
    // It is killed before it comes to files.
    const killed = openTestChat({ log: { ...log, erased: () => new Promise(() => {}) }, files: second.files })
    await Promise.all([one.chat.ready, killed.chat.ready])
    for (const name of ['one', 'other']) await one.view.say(name, { text: 'See', attachments: [FILE] })
    const forgotten = one.view.forget('one')
    await looking
    void killed.view.forget('other')
    await until(async () => (await one.view.conversations({ limit: 9 })).length === 0)
    goOn()
    await forgotten
    await one.chat.erased()
    expect([first.removed, second.removed]).toEqual([[], []])
    const next = filesOf()
    const { chat } = openTestChat({ log, files: next.files })
    await chat.erased()
    expect(next.removed).toEqual([FILE.hash])
  })

  test(`[N3] marks and replies that a person changes at two hubs at once are all kept (${engine})`, async () => {
    const hubs = await openTwo(await sharedLog(open))
    const names = Array.from({ length: 2 * ROUNDS }, (_, n) => `work-${n}`)
    for (const name of names) await hubs[0].view.say(name, { text: 'Hello' })
    const [one, other] = hubs.map(({ chat }) => chat.as(ADA).preferences()) as [Own, Own]
    await Promise.all(
      names.flatMap((name, n) => [
        [one, other][n % 2]?.change({ [name]: { pinned: true } }),
        [other, one][n % 2]?.change({ [name]: { snoozed: SNOOZE } }),
        [one, other][n % 2]?.keepReply({ name, text: 'Yes' }),
      ]),
    )
    for (const own of [one, other]) {
      const { marks, replies } = await own.show(names)
      expect(marks).toEqual(Object.fromEntries(names.map((name) => [name, { pinned: true, snoozed: SNOOZE }])))
      expect(replies.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
      expect(await own.atHand()).toEqual(names.toSorted())
    }
    // One is let go of at one hub while it is held on to at the other.
    await Promise.all([
      one.change({ 'work-0': { pinned: false } }),
      other.change({ 'work-0': { snoozed: { until: '2030-01-02' } } }),
    ])
    await Promise.all([one.change({ 'work-1': { pinned: false } }), other.change({ 'work-1': { snoozed: null } })])
    expect(await one.atHand()).toEqual(names.filter((name) => name !== 'work-1').toSorted())
  })

  test(`[N4] files that somebody uploads at two hubs at once are all theirs (${engine})`, async () => {
    const hubs = await openTwo(await sharedLog(open))
    const own = hubs.map(({ chat }) => chat.as(ADA).files)
    const hashes = Array.from({ length: 2 * ROUNDS }, (_, n) => `hash-${n}`)
    await Promise.all(hashes.map((hash, n) => own[n % 2]?.uploaded(hash)))
    for (const { mayRead } of own) expect(await Promise.all(hashes.map(mayRead))).not.toContain(false)
  })
}

type Own = ReturnType<ReturnType<ReturnType<typeof openTestChat>['chat']['as']>['preferences']>

/** The views of a log for a hub that takes its time once it has looked who names a file. */
function slow(log: Log) {
  const looking = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const views: Log = {
    ...log,
    async named(...names) {
      const found = await log.named(...names)
      looking.resolve()
      await goOn.promise
      return found
    },
  }
  return { looking: looking.promise, goOn: goOn.resolve, views }
}

const FILE = { hash: 'a'.repeat(64), name: 'notes.txt', mime: 'text/plain' }

/** Files in which everything is, with what was removed of them. */
function filesOf() {
  const removed: string[] = []
  const files = {
    attach: (file: typeof FILE) => ({ ...file, size: 1 }),
    moment: () => 0,
    async remove(hash: string) {
      removed.push(hash)
      return true
    },
  }
  return { removed, files }
}
