import { expect, test } from 'vitest'
import type { Log } from '../../src/log/views.ts'
import type { Principal } from '../../src/protocol/principal.ts'
import { openTestChat } from '../support/chat.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { ENGINES, type OpenLog, sharedLog } from './several.ts'

const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const OTHER: Principal = { ...RUNNER, id: 'other', name: 'other' }

/** The log for the hub of a holder that hears late of what others do: it is told what it put itself. */
function untold(log: Log, holder: string): Log {
  const follow: Log['notes']['follow'] = (beginning, from, follower) =>
    log.notes.follow(beginning, from, { ...follower, note: (note) => isOf(note.value) && follower.note(note) })
  return { ...log, notes: { ...log.notes, follow } }

  function isOf(value: unknown): boolean {
    return (value as { holder?: string } | null)?.holder === holder
  }
}

/** Two hubs on one log, each with an orchestrator; the clock of the first one stands still. */
async function openTwo(open: OpenLog) {
  const log = await sharedLog(open)
  const clock = fakeClock(Date.now())
  const [slow, quick] = [
    openTestChat({ log: untold(log, 'a'), clock: fakeClock(Date.now()) }),
    openTestChat({ log, clock }),
  ] as const
  return { clock, quick, one: slow.chat.as(RUNNER).driver(), other: quick.chat.as(OTHER).driver() }
}

const asked = { by: 'agent', text: 'Deploy?' }

type Driver = Awaited<ReturnType<typeof openTwo>>['one']
type Ids = { said: string; question: string }

/** Everything that the holder of a lease writes. */
const WRITES: Record<string, (driver: Driver, ids: Ids) => Promise<unknown>> = {
  receipts: (driver, { said }) => driver.receive('work', 'a', 'k2', [said]),
  questions: (driver) => driver.ask('work', 'a', { ...asked, text: 'Now?', key: 'k2' }),
  withdrawals: (driver, { question }) => driver.withdraw('work', 'a', [question], 'agent'),
  history: (driver) => driver.tellEarlier('work', 'a', 'agent', [{ what: 'assistant', text: 'Before' }], 'k2'),
}

for (const [engine, open] of Object.entries(ENGINES))
  for (const [what, write] of Object.entries(WRITES))
    test(`[O286] ${what} of an older holder are refused where they are written (${engine})`, async () => {
      const { clock, quick, one, other } = await openTwo(open)
      const { id: said } = await quick.view.say('work', { text: 'Hello' })
      await one.acquire('work', 'a', 30)
      const question = await one.ask('work', 'a', { ...asked, key: 'k0' })
      clock.advance(30_000)
      expect(await other.acquire('work', 'b', 30)).toMatchObject({ held: true })
      expect(await other.receive('work', 'b', 'k1', [said])).toEqual({ received: [said] })
      const before = await quick.view.conversation('work')
      // Its own hub still takes it for the holder.
      await one.mustHold('work', 'a')
      const refused = { code: 'held_by_other', message: '"work" is held by b' }
      await expect(write(one, { said, question })).rejects.toMatchObject(refused)
      expect(await quick.view.conversation('work')).toEqual(before)
    })

test('[O287] what it had written before is answered as then, and who holds it again may write again', async () => {
  const { clock, quick, one, other } = await openTwo(ENGINES.memory as OpenLog)
  await quick.view.say('work', { text: 'Hello' })
  await one.acquire('work', 'a', 30)
  const question = await one.ask('work', 'a', { ...asked, key: 'k0' })
  clock.advance(30_000)
  await other.acquire('work', 'b', 30)
  await other.ask('work', 'b', { ...asked, text: 'Now?', key: 'k1' })
  expect(await one.ask('work', 'a', { ...asked, key: 'k0' })).toBe(question)
  await other.release('work', 'b')
  await expect(one.ask('work', 'a', { ...asked, text: 'Me?', key: 'k2' })).rejects.toMatchObject({
    code: 'held_by_other',
  })
  expect(await one.acquire('work', 'a', 30)).toMatchObject({ held: true })
  await one.ask('work', 'a', { ...asked, text: 'Me?', key: 'k2' })
  expect((await quick.view.conversation('work')).open).toHaveLength(3)
})
