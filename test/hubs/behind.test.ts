import { expect, test } from 'vitest'
import type { LogEntry } from '../../src/log/journal.ts'
import type { Entries, Log } from '../../src/log/views.ts'
import type { Principal } from '../../src/protocol/principal.ts'
import { ask, openTestChat, until } from '../support/chat.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { ENGINES, type OpenLog, sharedLog } from './several.ts'

const RUNNER: Principal = { id: 'runner', name: 'runner', role: 'orchestrator' }
const NOBODYS = '9'.repeat(16)

/** Two hubs on one log, of which the second one can be held back. */
async function openTwo(open: OpenLog) {
  const log = await sharedLog(open)
  const { holdBack, goOn, behind } = heldBack(log)
  const clock = fakeClock(Date.now())
  const waits: number[] = []
  const after: typeof clock.after = (ms, ring) => {
    waits.push(ms)
    return clock.after(ms, ring)
  }
  const [{ view: one }, late] = [openTestChat({ log }), openTestChat({ log: behind, clock: { ...clock, after } })]
  await late.chat.ready
  await one.say('work', { text: 'Begin' })
  await late.view.conversation('work')
  const driver = late.chat.as(RUNNER).driver()
  await driver.acquire('work', 'me', 300)
  return { one, late: late.view, driver, holdBack, goOn, clock, isWaiting: () => waits.includes(5000) }
}

type Two = Awaited<ReturnType<typeof openTwo>>
type Ids = { said: string; question: string }

/** Everything that names what another hub has given out. */
const LOOKS: Record<string, (hub: Two, ids: Ids) => Promise<unknown>> = {
  'an answer': ({ late }, { question }) => late.answer(question, 'Yes'),
  'a change': ({ late }, { said }) => late.revise('work', said, 'Later'),
  'a page': async ({ late }, { said }) => {
    const { entries } = await late.page('work', { around: said, limit: 9 })
    expect(entries.map(({ id }) => id)).toContain(said)
  },
  'a driver': async ({ driver }, { said }) => {
    expect(await driver.receive('work', 'me', 'key', [said])).toEqual({ received: [said] })
  },
}

for (const [engine, open] of Object.entries(ENGINES))
  for (const [who, look] of Object.entries(LOOKS))
    test(`[N13] ${who} waits for what another hub has given out (${engine})`, async () => {
      const hubs = await openTwo(open)
      await hubs.holdBack()
      const { id: said } = await hubs.one.say('work', { text: 'Now' })
      const question = await ask(hubs.one, { by: 'agent', text: 'Deploy?' })
      const looked = look(hubs, { said, question })
      await until(hubs.isWaiting)
      hubs.goOn()
      await looked
    })

test('[N13] what nobody gave out is unknown after five seconds, and at once where there is one hub', async () => {
  const hubs = await openTwo(ENGINES.memory as OpenLog)
  let problem: unknown
  const refused = hubs.late.answer(NOBODYS, 'Yes').catch((error: unknown) => {
    problem = error
  })
  await until(hubs.isWaiting)
  hubs.clock.advance(4999)
  await hubs.late.say('work', { text: 'Still' })
  expect(problem).toBeUndefined()
  hubs.clock.advance(1)
  await refused
  expect(problem).toMatchObject({ code: 'unknown_question' })
  await expect(openTestChat().view.answer(NOBODYS, 'Yes')).rejects.toMatchObject({ code: 'unknown_question' })
})

/** A log for a hub that neither hears of what is appended while it is held back, nor can read it. */
function heldBack(log: Log) {
  let newest: string | undefined
  let waiting: (() => unknown)[] = []
  const follow: Log['follow'] = (from, follower) =>
    log.follow(from, {
      ...follower,
      entries(entries: LogEntry[]) {
        if (newest === undefined) return follower.entries(entries)
        waiting.push(() => follower.entries(entries))
      },
    })
  const read: Log['read'] = async (page) => {
    const last = newest
    const entries: Entries = await log.read(page)
    return last === undefined ? entries : entries.filter(({ id }) => id <= last)
  }
  return { behind: { ...log, follow, read }, holdBack, goOn }

  async function holdBack() {
    newest = await log.last()
  }

  function goOn() {
    newest = undefined
    const all = waiting
    waiting = []
    for (const tell of all) tell()
  }
}
