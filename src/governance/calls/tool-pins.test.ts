import { expect, test } from 'vitest'
import { openToolPins } from './tool-pins.ts'

const PEN = { server: 'diary', tool: 'write', fingerprint: 'pen' }
const INK = { ...PEN, fingerprint: 'ink' }
const WRITE = '["diary","write"]'

/** Pins over what was kept before, and all that is kept of them since. */
async function opened(stored?: unknown) {
  const put: unknown[] = []
  const reported: unknown[] = []
  const notes = { get: async () => stored, put: async (...args: unknown[]) => void put.push(args) }
  const toolPins = openToolPins({ notes, report: (error) => void reported.push(error) })
  await toolPins.ready
  return { toolPins, put, reported }
}

test('[G68] a tool is what it was when it was last allowed, or first asked about', async () => {
  const { toolPins, put } = await opened()
  expect([toolPins.fits(PEN), put]).toEqual([true, []])
  toolPins.meet(PEN)
  toolPins.meet(INK)
  expect([toolPins.fits(PEN), toolPins.fits(INK), toolPins.fits({ ...INK, tool: 'read' })]).toEqual([true, false, true])
  toolPins.pin(INK)
  toolPins.pin(INK)
  expect([toolPins.fits(PEN), toolPins.fits(INK)]).toEqual([false, true])
  // It is kept whenever it is another, and not again.
  const name = 'tools as they were'
  expect(put).toEqual([
    [name, { [WRITE]: 'pen' }],
    [name, { [WRITE]: 'ink' }],
  ])
})

test('[G68] it is known to the next hub, and what is kept there of other kinds is nothing', async () => {
  const { toolPins } = await opened({ [WRITE]: 'pen' })
  expect([toolPins.fits(PEN), toolPins.fits(INK)]).toEqual([true, false])
  expect((await opened('nothing')).toolPins.fits(INK)).toBe(true)
})

test('[G68] what cannot be read or kept is reported', async () => {
  const reported: unknown[] = []
  const fail = () => Promise.reject(new Error('disk'))
  const toolPins = openToolPins({ notes: { get: fail, put: fail }, report: (error) => void reported.push(error) })
  await expect(toolPins.ready).rejects.toThrow('disk')
  toolPins.pin(PEN)
  await Promise.resolve()
  expect(reported).toHaveLength(2)
})
