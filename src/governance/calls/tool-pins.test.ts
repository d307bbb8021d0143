import { expect, test } from 'vitest'
import { newLog } from '../../../test/support/chat.ts'
import { ownNotes } from '../../chat/people/own-notes.ts'
import { NO_NOTE } from '../../log/notes.ts'
import { openToolPins } from './tool-pins.ts'

const PEN = { server: 'diary', tool: 'write', fingerprint: 'pen' }
const INK = { ...PEN, fingerprint: 'ink' }
const WRITE = '["diary","write"]'

/** Pins over what was kept before, by an older Parley for all tools or for one, and all that is kept of them since. */
async function opened({ all, log = newLog() }: { all?: unknown; log?: ReturnType<typeof newLog> } = {}) {
  const put: [name: string, value: unknown][] = []
  const reported: unknown[] = []
  if (all !== undefined) await log.notes.put('tools as they were me', all, NO_NOTE)
  log.notes.follow('', 'now', { note: ({ name, value }) => put.push([name, value]), failed: expect.unreachable })
  const toolPins = openToolPins({ notes: ownNotes(log.notes, 'me'), report: (error) => void reported.push(error) })
  await toolPins.ready
  return { toolPins, put, reported, log }
}

test('[G68] a tool is what it was when it was last allowed, or first asked about', async () => {
  const { toolPins, put, log } = await opened()
  expect([toolPins.fits(PEN), put]).toEqual([true, []])
  toolPins.meet(PEN)
  toolPins.meet(INK)
  expect([toolPins.fits(PEN), toolPins.fits(INK), toolPins.fits({ ...INK, tool: 'read' })]).toEqual([true, false, true])
  toolPins.pin(INK)
  toolPins.pin(INK)
  expect([toolPins.fits(PEN), toolPins.fits(INK)]).toEqual([false, true])
  // It is kept whenever it is another, and not again.
  const name = `tool as it was ${WRITE} me`
  await expect.poll(async () => (await log.notes.get(name))?.value).toBe('ink')
  expect(put.length).toBeLessThan(3)
  expect(new Set(put.map(([name]) => name))).toEqual(new Set([name]))
  expect((await opened({ all: { [WRITE]: 'pen' }, log })).toolPins.fits(INK)).toBe(true)
})

test('[G68] it is known to the next hub, and what is kept there of other kinds is nothing', async () => {
  const { toolPins } = await opened({ all: { [WRITE]: 'pen' } })
  expect([toolPins.fits(PEN), toolPins.fits(INK)]).toEqual([true, false])
  expect((await opened({ all: 'nothing' })).toolPins.fits(INK)).toBe(true)
})

test('[G68] what cannot be read or kept is reported', async () => {
  const reported: unknown[] = []
  const fail = () => Promise.reject(new Error('disk'))
  const toolPins = openToolPins({
    notes: { get: fail, change: fail, follow: fail },
    report: (error) => void reported.push(error),
  })
  await expect(toolPins.ready).rejects.toThrow('disk')
  toolPins.pin(PEN)
  await expect.poll(() => reported.length).toBe(2)
})

test('[G68] what is pinned while an older pin is still being kept is what counts, here and in the note', async () => {
  const pinned = Promise.withResolvers<void>()
  const { notes } = newLog()
  // Told before the pins are, as whatever else comes in between.
  notes.follow('', 'now', {
    note({ value }) {
      if (value === 'pen') quick.pin(INK)
      pinned.resolve()
    },
    failed: pinned.reject,
  })
  const quick = openToolPins({ notes: ownNotes(notes, 'me'), report: pinned.reject })
  await quick.ready
  quick.pin(PEN)
  await pinned.promise
  const name = `tool as it was ${WRITE} me`
  await expect.poll(async () => (await notes.get(name))?.value).toBe('ink')
  expect([quick.fits(INK), quick.fits(PEN)]).toEqual([true, false])
})
