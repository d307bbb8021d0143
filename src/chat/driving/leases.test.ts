import { expect, test } from 'vitest'
import { ask, newLog, openTestChat } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { BEFORE_ALL } from '../../protocol/entries/entry.ts'
import type { Principal } from '../../protocol/principal.ts'
import { createLeases } from './leases.ts'

const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const OTHER: Principal = { ...RUNNER, id: 'other', name: 'other' }

function open(clock = fakeClock(1_000_000), log = newLog()) {
  const { chat, view } = openTestChat({ clock, log })
  return { chat, view, clock, log, one: chat.as(RUNNER).driver(), other: chat.as(OTHER).driver() }
}

test('[O1] a conversation is held by one at a time, and asking again holds it longer', async () => {
  const { one, other, clock } = open()
  expect(await one.acquire('work', 'a', 30)).toMatchObject({ held: true, holder: 'a', until: 1_030_000, wish: {} })
  expect(await one.acquire('work', 'b', 30)).toMatchObject({ held: false, holder: 'a', until: 1_030_000 })
  expect(await other.acquire('work', 'a', 30)).toMatchObject({ held: false, holder: 'a' })
  clock.advance(20_000)
  expect(await one.acquire('work', 'a', 30)).toMatchObject({ held: true, until: 1_050_000 })
  clock.advance(20_000)
  expect(await one.acquire('work', 'b', 30)).toMatchObject({ held: false, holder: 'a' })
  expect(await one.acquire('another', 'b', 30)).toMatchObject({ held: true })
})

test('[O1] of many who want it at once, one holds it', async () => {
  const { one } = open()
  const all = await Promise.all(['a', 'b', 'c', 'd'].map((holder) => one.acquire('work', holder, 30)))
  expect(all.filter(({ held }) => held)).toHaveLength(1)
  expect(new Set(all.map(({ holder }) => holder)).size).toBe(1)
})

test('[O2] who is dead is replaced when the lease is over, and may then do nothing any more', async () => {
  const { one, other, clock, view } = open()
  const { id } = await view.say('work', { text: 'Hello' })
  await one.acquire('work', 'a', 30)
  clock.advance(30_000)
  expect(await other.acquire('work', 'b', 30)).toMatchObject({ held: true, holder: 'b' })
  await expect(one.receive('work', 'a', 'k', [id])).rejects.toThrow('"work" is held by b')
  expect(await one.release('work', 'a')).toBe(false)
  expect(await other.receive('work', 'b', 'k', [id])).toEqual({ received: [id] })
})

test('[O2] what is released can be held at once by another', async () => {
  const { one, other } = open()
  await one.acquire('work', 'a', 300)
  expect(await one.release('work', 'a')).toBe(true)
  await expect(one.mustHold('work', 'a')).rejects.toThrow('You do not hold "work"; call hold_conversation first')
  expect(await other.acquire('work', 'b', 30)).toMatchObject({ held: true })
})

test('[O3] a hub that starts again knows who holds a conversation, and until when', async () => {
  const { chat, one, clock, log } = open()
  await one.acquire('work', 'a', 60)
  await one.acquire('free', 'a', 60)
  await one.release('free', 'a')
  clock.advance(20_000)
  const again = open(clock, log)
  expect(await again.one.acquire('work', 'b', 30)).toMatchObject({ held: false, holder: 'a', until: 1_060_000 })
  expect(await again.one.acquire('free', 'b', 30)).toMatchObject({ held: true })
  await again.one.mustHold('work', 'a')
  clock.advance(40_000)
  expect(await again.one.acquire('work', 'b', 30)).toMatchObject({ held: true })
  await chat.close()
})

test('[O4] only the holder, of its own principal, receives, asks and withdraws; anything else changes nothing', async () => {
  const { one, other, view } = open()
  const { id } = await view.say('work', { text: 'Hello' })
  await one.acquire('work', 'a', 30)
  const asked = { by: 'agent', key: 'k', text: 'Deploy?' }
  const question = await one.ask('work', 'a', asked)
  const before = await view.conversation('work')
  for (const [driver, holder] of [
    [one, 'b'],
    [other, 'a'],
  ] as const) {
    const refused = { code: 'held_by_other' }
    await expect(driver.receive('work', holder, 'k2', [id])).rejects.toMatchObject(refused)
    await expect(driver.ask('work', holder, { ...asked, key: 'k3' })).rejects.toMatchObject(refused)
    await expect(driver.withdraw('work', holder, [question], 'agent')).rejects.toMatchObject(refused)
  }
  await expect(one.ask('free', 'a', asked)).rejects.toMatchObject({ code: 'not_held' })
  expect(await view.conversation('work')).toEqual(before)
})

test('[O18] a conversation that is forgotten is held by nobody, and one that is not stays held', async () => {
  const { one, view } = open()
  await ask(view, { by: 'agent', text: 'Deploy?' })
  const { last } = await view.conversation('work')
  await one.acquire('work', 'a', 30)
  await view.forget('work', BEFORE_ALL)
  await one.mustHold('work', 'a')
  await view.forget('work', last)
  await expect(one.mustHold('work', 'a')).rejects.toMatchObject({ code: 'not_held' })
})

test('[O109] however many conversations were held once, few that nobody holds are remembered, and none is mistaken', async () => {
  const clock = fakeClock(1_000_000)
  const leases = createLeases({ notes: newLog().notes, clock, report: expect.unreachable })
  const names = Array.from({ length: 3000 }, (_, n) => `work-${n}`)
  const ended: string[] = []
  leases.onEnd((conversation) => ended.push(conversation))
  for (const name of names) await leases.acquire(name, 'a', RUNNER, 30_000)
  await leases.acquire('mine', 'a', RUNNER, 90_000)
  await leases.release('work-0', 'a', RUNNER)
  clock.advance(30_000)
  expect(leases.count()).toBeLessThan(1100)
  expect(await Promise.all(names.map(leases.leaseOf))).toEqual(names.map(() => undefined))
  expect(await leases.acquire('mine', 'b', OTHER, 1000)).toMatchObject({ holder: 'a' })
  expect(ended.sort()).toEqual(names.toSorted())
  expect(leases.count()).toBeLessThan(1100)
  leases.close()
})

test('[O192] a lease lasts as long as it was given for, whatever is done to the clock', async () => {
  for (const jump of [3_600_000, -3_600_000]) {
    const clock = fakeClock(10_000_000)
    const log = newLog()
    const { one, other } = open(clock, log)
    await one.acquire('work', 'a', 30)
    clock.jump(jump)
    expect(await other.acquire('work', 'b', 30)).toMatchObject({ held: false, holder: 'a' })
    clock.advance(30_000)
    expect(await other.acquire('work', 'b', 30)).toMatchObject({ held: true })
  }
})

test('[O192] the next hub takes no lease for longer than it was given for', async () => {
  const clock = fakeClock(10_000_000)
  const parts = { notes: newLog().notes, clock, report: expect.unreachable }
  await createLeases(parts).acquire('work', 'a', RUNNER, 30_000)
  clock.jump(-3_600_000)
  const next = createLeases(parts)
  expect(await next.leaseOf('work')).toMatchObject({ holder: 'a' })
  clock.advance(30_000)
  expect(await next.leaseOf('work')).toBeUndefined()
})
