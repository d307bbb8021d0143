import { expect, test } from 'vitest'
import { ask, forever, newLog, openTestChat, until } from '../../../test/support/chat.ts'
import type { Follower } from '../../log/journal.ts'
import type { Log } from '../../log/views.ts'

const question = { by: 'agent', text: 'Deploy now?' }

/** The log, counting the entries that are read from it in any way. */
function counting(log: Log) {
  let count = 0
  const read: Log['read'] = async (page) => {
    const entries = await log.read(page)
    count += entries.length
    return entries
  }
  const follow: Log['follow'] = (from, follower) => {
    const entries: Follower['entries'] = (entries) => {
      count += entries.length
      return follower.entries(entries)
    }
    return log.follow(from, { ...follower, entries })
  }
  return { log: { ...log, read, follow }, count: () => count }
}

test('[Q12] a conversation is the same after a restart, whatever its snapshot covers', async () => {
  const log = newLog()
  const { view: before } = openTestChat({ log })
  const id = await ask(before, question)
  await Promise.all(Array.from({ length: 1200 }, (_, n) => before.say('work', { text: `${n}` })))
  await before.rename('work', 'The work')
  const { view: after } = openTestChat({ log })
  expect(await after.conversation('work')).toEqual(await before.conversation('work'))
  expect((await after.conversation('work')).open.map((open) => open.id)).toEqual([id])
})

test('[Q12] loading a conversation costs a snapshot and at most 1,000 entries, however long it is', async () => {
  const log = newLog()
  const { view: before } = openTestChat({ log })
  for (let part = 0; part < 10; part++)
    await Promise.all(Array.from({ length: 500 }, (_, n) => before.say('work', { text: `${part * 500 + n}` })))
  const counted = counting(log)
  const { chat, view } = openTestChat({ log: counted.log })
  await chat.ready
  const known = counted.count()
  expect((await view.conversation('work')).preview).toBe('4999')
  expect(counted.count() - known).toBeLessThanOrEqual(1000)
})

test('[W32] where something was said last is found in one entry, whatever was only renamed since', async () => {
  const log = newLog()
  const { view: before } = openTestChat({ log })
  const names = Array.from({ length: 200 }, (_, n) => `${n}`)
  for (const name of names) await before.say(name, { text: name })
  await Promise.all(names.slice(0, -1).map((name) => before.rename(name, 'Renamed')))
  const counted = counting(log)
  const { chat, view } = openTestChat({ log: counted.log })
  await chat.ready
  const known = counted.count()
  expect(await view.spokenInLast()).toBe('199')
  expect(counted.count() - known).toBe(1)
})

test('[Q14] what two hubs append to one conversation at once is all kept', async () => {
  const log = newLog()
  const hubs = [openTestChat({ log }).view, openTestChat({ log }).view]
  const posts = hubs.flatMap((view, hub) =>
    Array.from({ length: 50 }, (_, n) => view.tell('work', { by: `hub ${hub}`, text: `${n}` })),
  )
  await Promise.all(posts)
  const { entries = [] } = (await hubs[0]?.page('work', { limit: 200 })) ?? {}
  expect(entries).toHaveLength(100)
  for (const hub of [0, 1])
    expect(
      entries.flatMap(({ body }) => (body.kind === 'message' && body.by === `hub ${hub}` ? [body.text] : [])),
    ).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`))
})

test('[Q22] a key that another hub has used leaves its question open there and here', async () => {
  const log = newLog()
  const hubs = [openTestChat({ log }).view, openTestChat({ log }).view]
  const asked = { ...question, key: 'key-1' }
  const ids = []
  for (const view of hubs) {
    const put = await view.agentService().ask('work', [asked], { title: 'Work' })
    ids.push(...('questions' in put ? put.questions : []))
  }
  expect(new Set(ids).size).toBe(1)
  for (const view of hubs) {
    expect((await view.conversation('work')).open.map(({ id }) => id)).toEqual(ids.slice(0, 1))
    expect(await view.current()).toEqual(['work'])
  }
})

test('[Q22] a wait at one hub ends when another one answers', async () => {
  const log = newLog()
  const { view: here } = openTestChat({ log })
  const { view: there } = openTestChat({ log })
  const id = await ask(here, question)
  const outcome = here.agentService().outcome(id, forever.signal)
  await there.answer(id, 'Yes')
  expect((await outcome).body.reply).toBe('Yes')
  expect((await here.conversation('work')).open).toEqual([])
})

test('[Q23] names that were only asked for are not kept, and of the others only the last used', async () => {
  const { chat, view } = openTestChat()
  await Promise.all(Array.from({ length: 2000 }, (_, n) => view.conversation(`nobody ${n}`)))
  expect(chat.roomsInMemory()).toBe(0)
  const names = Array.from({ length: 600 }, (_, n) => `room ${n}`)
  for (const name of names) await view.say(name, { text: `Hello ${name}` })
  expect(chat.roomsInMemory()).toBeLessThan(300)
  for (const name of names) expect((await view.conversation(name)).preview).toBe(`Hello ${name}`)
  expect(chat.roomsInMemory()).toBeLessThan(300)
})

test('[Q23] a room that is let go while it is used loses nothing', async () => {
  const { view } = openTestChat()
  const names = Array.from({ length: 400 }, (_, n) => `room ${n}`)
  await Promise.all([1, 2, 3].flatMap((turn) => names.map((name) => view.say(name, { text: `${turn}` }))))
  for (const name of names) expect((await view.page(name, { limit: 10 })).entries).toHaveLength(3)
})

test('[Q24] starting reads what spans conversations from its snapshot, and walks none of them', async () => {
  const log = newLog()
  const before = openTestChat({ log })
  const id = await ask(before.view, question)
  for (let part = 0; part < 3; part++)
    await Promise.all(Array.from({ length: 500 }, (_, n) => before.view.say(`room ${n}`, { text: 'Hello' })))
  await until(async () => (await log.snapshots.get('\u0000projection', 2)) !== undefined)
  const counted = counting(log)
  const { chat, view } = openTestChat({ log: counted.log })
  await chat.ready
  expect(counted.count()).toBeLessThanOrEqual(1100)
  expect(await view.current()).toEqual(['work'])
  await view.answer(id, 'Yes')
  expect(chat.openQuestions()).toBe(0)
})

test('[Q25] an entry that this version cannot read is kept and disturbs nothing', async () => {
  const log = newLog()
  const { view } = openTestChat({ log })
  await view.say('work', { text: 'Hello' })
  const { last } = await view.conversation('work')
  await log.append('work', last, [{ body: { kind: 'hologram', shape: 'cube' } }, { body: { kind: 'question' } }])
  const id = await ask(view, question)
  const { entries } = await view.page('work', { limit: 10 })
  expect(entries.map(({ body }) => body.kind)).toEqual(['message', 'unknown', 'unknown', 'question'])
  expect(entries[1]?.body).toMatchObject({ name: 'hologram', content: { kind: 'hologram', shape: 'cube' } })
  const { view: after } = openTestChat({ log })
  expect(await after.conversation('work')).toEqual(await view.conversation('work'))
  expect((await after.conversation('work')).open.map((open) => open.id)).toEqual([id])
})
