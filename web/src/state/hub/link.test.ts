import { expect, onTestFinished, test, vi } from 'vitest'
import { BEFORE_ALL } from '../../../../src/protocol/entries/entry.ts'
import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import { startDoor } from '../../../../test/support/door.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { Link, type LinkParts } from './link.svelte.ts'

const WELCOME: TimelineFrame = {
  type: 'welcome',
  cursor: BEFORE_ALL,
  resumed: false,
  conversations: [],
  has_more: false,
  agents: {},
}
const POST = { type: 'post', key: 'k1', conversation: 'work', text: 'Hello' } as const
const ID = '0000000000000001'

function openLink(parts: Partial<LinkParts> & { url: string }) {
  const frames: TimelineFrame[] = []
  const link = new Link({
    hello: () => ({ type: 'hello' }),
    receive: (frame) => frames.push(frame),
    wait: () => 0,
    ...parts,
  })
  onTestFinished(() => link.close())
  link.open()
  return { link, frames }
}

test('[U2] what is sent before the hub is there waits for its welcome', async () => {
  const door = await startDoor()
  const { link } = openLink(door)
  link.send(POST)
  const visitor = await door.visit(1)
  expect(visitor.heard).toEqual([{ type: 'hello' }])
  visitor.say(WELCOME)
  await eventually(() => expect(visitor.heard).toEqual([{ type: 'hello' }, POST]))
})

test('[U2] a command without an answer is sent again after a reconnect with the same key, an answered one is not', async () => {
  const door = await startDoor()
  const { link, frames } = openLink(door)
  const first = await door.visit(1)
  first.say(WELCOME)
  link.send(POST)
  link.send({ ...POST, key: 'k2' })
  await eventually(() => expect(first.heard).toHaveLength(3))
  first.say({ type: 'accepted', key: 'k1', id: ID })
  await eventually(() => expect(frames).toHaveLength(2))
  first.socket.terminate()
  const second = await door.visit(2)
  second.say(WELCOME)
  await eventually(() => expect(second.heard).toEqual([{ type: 'hello' }, { ...POST, key: 'k2' }]))
})

test('[U290] what a hub refuses because it ends is said again to the next one, with the same key', async () => {
  const door = await startDoor()
  const { link, frames } = openLink(door)
  const first = await door.visit(1)
  first.say(WELCOME)
  link.send(POST)
  await eventually(() => expect(first.heard).toHaveLength(2))
  first.say({ type: 'refused', key: 'k1', code: 'shutting_down', error: 'Come back' })
  first.say({ type: 'refused', key: 'other', code: 'disk_full', error: 'No room' })
  await eventually(() => expect(frames.map(({ type }) => type)).toEqual(['welcome', 'refused']))
  first.socket.terminate()
  const second = await door.visit(2)
  second.say(WELCOME)
  await eventually(() => expect(second.heard).toEqual([{ type: 'hello' }, POST]))
})

test('[U3] the status tells a first connect from a lost connection, and each failed attempt waits longer', async () => {
  const door = await startDoor()
  const waits: number[] = []
  const wait = (attempt: number) => waits.push(attempt) * 0
  const { link } = openLink({ ...door, wait })
  expect(link.status).toBe('connecting')
  const first = await door.visit(1)
  first.say(WELCOME)
  await eventually(() => expect(link.status).toBe('open'))
  first.socket.terminate()
  await eventually(() => expect(link.status).toBe('lost'))
  ;(await door.visit(2)).socket.terminate()
  const third = await door.visit(3)
  third.say(WELCOME)
  await eventually(() => expect(link.status).toBe('open'))
  third.socket.terminate()
  await door.visit(4)
  expect(waits).toEqual([0, 1, 0])
})

test('[U3] when the network or the person is back, the rest of the wait is skipped', async () => {
  const door = await startDoor()
  const { link } = openLink({ ...door, wait: () => 60_000 })
  const first = await door.visit(1)
  first.say(WELCOME)
  await eventually(() => expect(link.status).toBe('open'))
  first.socket.terminate()
  await eventually(() => expect(link.status).toBe('lost'))
  link.hurry()
  await door.visit(2)
})

test('[U3] a connection that answers nothing any more is given up for a new one', async () => {
  const door = await startDoor()
  const { link } = openLink({ ...door, answerLimitMs: 50 })
  ;(await door.visit(1)).say(WELCOME)
  await eventually(() => expect(link.status).toBe('open'))
  link.send(POST)
  const second = await door.visit(2)
  second.say(WELCOME)
  await eventually(() => expect(second.heard).toContainEqual(POST))
})

test('[U316] what takes minutes, an adapter or a working tree, gives up no connection', async () => {
  const answerLimitMs = 98_765
  const door = await startDoor()
  const { link } = openLink({ ...door, answerLimitMs })
  const visitor = await door.visit(1)
  visitor.say(WELCOME)
  await eventually(() => expect(link.status).toBe('open'))
  const timers = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => timers.mockRestore())
  const limits = () => timers.mock.calls.filter(([, ms]) => ms === answerLimitMs).length
  link.send({ type: 'allow_adapter', key: 'a', agent: 'claude', version: '1.2.3' })
  link.send({ type: 'start', key: 's', text: 'Hello', agent: 'claude', folder: '/w', worktree: { branch: 'fix' } })
  expect(limits()).toBe(0)
  link.send(POST)
  expect(limits()).toBe(1)
  visitor.say({ type: 'accepted', key: POST.key, conversation: 'work', id: ID })
  link.send({ ...POST, key: 'k2' })
  await eventually(() => expect(visitor.heard).toContainEqual({ ...POST, key: 'k2' }))
  expect(link.status).toBe('open')
})

test('[U50] words are taken for a while after the hub went away, then no more, and again when it is back', async () => {
  const door = await startDoor()
  const { link } = openLink({ ...door, wait: () => 60_000, graceMs: 50 })
  expect(link.readOnly).toBe(false)
  ;(await door.visit(1)).say(WELCOME)
  await eventually(() => expect(link.status).toBe('open'))
  door.visitors[0]?.socket.terminate()
  await eventually(() => expect(link.status).toBe('lost'))
  expect(link.readOnly).toBe(false)
  await eventually(() => expect(link.readOnly).toBe(true))
  link.hurry()
  ;(await door.visit(2)).say(WELCOME)
  await eventually(() => expect(link.readOnly).toBe(false))
})

test('[U50] a hub that was never reached, does not let the page in or is too new takes no words', async () => {
  const door = await startDoor()
  const refused = openLink({ ...door, wait: () => 60_000, turnedAway: async () => true }).link
  ;(await door.visit(1)).socket.terminate()
  await eventually(() => expect(refused.status).toBe('signed-out'))
  expect(refused.readOnly).toBe(true)
  const never = openLink({ ...door, wait: () => 60_000 }).link
  ;(await door.visit(2)).socket.terminate()
  await eventually(() => expect(never.readOnly).toBe(true))
  expect(never.status).toBe('connecting')
  const newer = openLink(door).link
  ;(await door.visit(3)).say({ type: 'from the future' })
  await eventually(() => expect(newer.readOnly).toBe(true))
})

test('[U9] a page that does not understand its hub says that it is outdated and stops', async () => {
  const door = await startDoor()
  const { link, frames } = openLink(door)
  const visitor = await door.visit(1)
  visitor.say({ type: 'from the future' })
  await eventually(() => expect(link.status).toBe('outdated'))
  await eventually(() => expect(visitor.socket.readyState).toBe(visitor.socket.CLOSED))
  expect(frames).toEqual([])
  expect(door.visitors).toHaveLength(1)
})
