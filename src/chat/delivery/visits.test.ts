import { expect, test } from 'vitest'
import { nextQuestion, openTestChat } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import { STATELESS, visitOfRequest, visitOfRun } from '../../protocol/entries/agent.ts'
import { COMES_AGAIN_MS, createVisits } from './visits.ts'

const AGENT = { asker: 'local:agent', agent: 'codex', folder: '/work/shop' }
const nobody = () => false
const NOW = 1_000_000_000

/** The visits of a hub that has seen everybody come who could. */
function longOpen() {
  let now = NOW - 24 * 60 * 60_000
  const visits = createVisits({ now: () => now })
  now = NOW
  return visits
}

/** Compares a question from so long ago in one visit with the same one in another. */
function isSame(first: string | undefined, again: string, minutes = 1, isAwaited: (id: string) => boolean = nobody) {
  return longOpen().isAskedAgain(
    { ...AGENT, id: '1', at: NOW - minutes * 60_000, visit: first },
    { ...AGENT, visit: again },
    isAwaited,
  )
}

test('[Q64] the same question is the same within one visit or run, however long ago', () => {
  expect([isSame('line-1', 'line-1', 600), isSame(visitOfRun('a'), visitOfRun('a'), 600)]).toEqual([true, true])
})

test('[Q64] without runs it is the same for ten minutes, and never where one of the two has a run', () => {
  expect([isSame('line-1', 'line-2', 10), isSame('line-1', 'line-2', 11)]).toEqual([true, false])
  expect(isSame(visitOfRun('a'), visitOfRun('b'))).toBe(false)
  expect([isSame(visitOfRun('a'), 'line-1'), isSame('line-1', visitOfRun('a'))]).toEqual([false, false])
  // An older Parley kept no visit.
  expect([isSame(undefined, 'line-1', 10), isSame(undefined, 'line-1', 11)]).toEqual([true, false])
})

test('[Q65] what a live call waits for, or a live visit asked, is never another’s', () => {
  expect(isSame('line-1', 'line-2', 1, () => true)).toBe(false)
  const visits = createVisits({ now: () => NOW })
  const here = visits.enter('work', () => ({ ...AGENT, visit: 'line-1' }))
  const before = { ...AGENT, id: '1', at: NOW, visit: 'line-1' }
  expect(visits.isAskedAgain(before, { ...AGENT, visit: 'line-2' }, nobody)).toBe(false)
  const twice = visits.enter('work', () => ({ ...AGENT, visit: 'line-1' }))
  here.leave()
  expect(visits.isAskedAgain(before, { ...AGENT, visit: 'line-2' }, nobody)).toBe(false)
  twice.leave()
  expect(visits.isAskedAgain(before, { ...AGENT, visit: 'line-2' }, nobody)).toBe(true)
})

test('[Q65] requests that only name their conversation are two where both wait, and lone ones always', () => {
  expect([isSame(STATELESS, STATELESS), isSame(STATELESS, STATELESS, 1, () => true)]).toEqual([true, false])
  const [one, two] = [visitOfRequest('1'), visitOfRequest('2')]
  expect([isSame(one, two), isSame(one, one)]).toEqual([false, true])
})

test('[S90] the client, the whole folder and the principal each make another agent; no folder is none’s', () => {
  const visits = createVisits({ now: () => NOW })
  const before = { ...AGENT, id: '1', at: NOW, visit: 'line-1' }
  for (const other of [{ agent: 'claude-code' }, { folder: '/other/shop' }, { folder: '' }, { asker: 'bot' }]) {
    const agent = { ...AGENT, visit: 'line-2', ...other }
    expect([visits.isAskedAgain(before, agent, nobody), visits.isFor(before, 'work', agent)]).toEqual([false, false])
  }
})

test('[G123] what comes late is for who asked, or once that has gone for the only one that could be it', () => {
  const visits = createVisits({ now: () => NOW })
  const asked = { ...AGENT, visit: 'line-1' }
  const [second, third] = ['line-2', 'line-3'].map((visit) => ({ ...AGENT, visit })) as [typeof asked, typeof asked]
  const first = visits.enter('work', () => asked)
  const other = visits.enter('work', () => third)
  visits.enter('work', () => second)
  expect([visits.isFor(asked, 'work', asked), visits.isFor(asked, 'work', second)]).toEqual([true, false])
  first.leave()
  expect(visits.isFor(asked, 'work', second)).toBe(false)
  other.leave()
  expect(visits.isFor(asked, 'work', second)).toBe(true)
})

test('[Q66] [G123] who was there beside an agent is not that agent coming back; who came after it may be', () => {
  let now = NOW
  const visits = createVisits({ now: () => now })
  const asked = { ...AGENT, visit: 'line-1', id: '1', at: NOW }
  const twin = { ...AGENT, visit: 'line-2' }
  const first = visits.enter('work', () => asked)
  const beside = visits.enter('work', () => twin)
  now += 60_000
  first.leave()
  const verdicts = (agent: typeof twin & { began?: number }) => [
    visits.isFor(asked, 'work', agent),
    visits.isAskedAgain(asked, agent, nobody),
  ]
  expect(verdicts(twin)).toEqual([false, false])
  beside.leave()
  now += 1000
  visits.enter('work', () => ({ ...AGENT, visit: 'line-3' }))
  // It may be either of the two.
  expect(verdicts({ ...AGENT, visit: 'line-3' })).toEqual([false, false])
  now += 60_000
  expect(verdicts({ ...AGENT, visit: 'line-3' })).toEqual([true, true])
  // A hub that has not seen who asked knows at least when.
  const unseen = { ...asked, visit: 'line-0' }
  const began = (at: number) => visits.isAskedAgain(unseen, { ...AGENT, visit: 'line-4', began: at }, nobody)
  expect([began(NOW - 1), began(NOW + 1)]).toEqual([false, true])
})

test('[Q67] a hub that has just opened takes nobody for one that it has not seen, and may be on its way', () => {
  let now = NOW
  const visits = createVisits({ now: () => now })
  const asked = { ...AGENT, visit: 'line-1', id: '1', at: NOW - 1000 }
  const verdicts = (visit: string) => [
    visits.isFor(asked, 'work', { ...AGENT, visit }),
    visits.isAskedAgain(asked, { ...AGENT, visit }, nobody),
  ]
  now += 4999
  expect([verdicts('line-2'), verdicts('line-1')]).toEqual([
    [false, false],
    [true, true],
  ])
  now += 1
  expect(verdicts('line-2')).toEqual([true, true])
})

test('[Q67] for who asked the same at the hub before is waited until all are back, and for nobody else', async () => {
  const clock = fakeClock(NOW)
  const visits = createVisits(clock)
  const asked = [{ ...AGENT, visit: 'line-1', at: NOW - 1000 }]
  let isOver = false
  const wait = visits.onceAllAreBack(asked, { ...AGENT, visit: 'line-2' }).then(() => {
    isOver = true
  })
  await visits.onceAllAreBack(asked, { ...AGENT, visit: 'line-1' })
  await visits.onceAllAreBack(asked, { ...AGENT, folder: '/other', visit: 'line-2' })
  const others = visits.onceAllAreBack([{ ...AGENT, asker: 'bot', visit: 'line-3', at: NOW }, ...asked], {
    ...AGENT,
    visit: 'line-2',
  })
  let areOver = false
  void others.then(() => {
    areOver = true
  })
  clock.advance(4999)
  await new Promise(setImmediate)
  expect([isOver, areOver]).toEqual([false, false])
  clock.advance(1)
  await wait
  await others
  await visits.onceAllAreBack(asked, { ...AGENT, visit: 'line-2' })
})

test('[Q68] who comes after two that have just gone is neither; who came in between is no doubt', () => {
  let now = NOW
  const visits = createVisits({ now: () => now })
  const asked = { ...AGENT, visit: 'line-1', id: '1', at: NOW }
  const here = (visit: string) => visits.enter('work', () => ({ ...AGENT, visit }))
  const [first, beside] = [here('line-1'), here('line-2')]
  now += 1000
  first.leave()
  const last = { ...AGENT, visit: 'line-4', began: NOW + 3000 }
  now += 1000
  const between = here('line-3')
  between.leave()
  expect(visits.isAskedAgain(asked, last, nobody)).toBe(true)
  beside.leave()
  now += COMES_AGAIN_MS
  expect(visits.isAskedAgain(asked, last, nobody)).toBe(false)
  now += 1
  expect(visits.isAskedAgain(asked, last, nobody)).toBe(true)
})

test('[G123] what comes late of a run is for that run alone', () => {
  const asked = { ...AGENT, visit: visitOfRun('a'), at: NOW }
  const verdicts = [visitOfRun('a'), visitOfRun('b'), 'line-1'].map((visit) =>
    longOpen().isFor(asked, 'work', { ...AGENT, visit }),
  )
  expect(verdicts).toEqual([true, false, false])
})

test('[Q64] a reply to what was cancelled long ago answers no other run’s question', async () => {
  const clock = fakeClock(Date.now())
  const { view } = openTestChat({ clock })
  const session = (visit: string) => view.agentSession({ conversation: 'work', title: 'Work', visit })
  const gone = new AbortController()
  const first = session(visitOfRun('one'))
  const call = first.ask([{ by: 'codex', text: 'Continue?' }], { signal: gone.signal })
  const question = await nextQuestion(view)
  gone.abort(new Error('cancelled'))
  await expect(call).rejects.toThrow('cancelled')
  first.close()
  await view.answer(question, 'Yes, drop the table')
  const again = session(visitOfRun('two')).ask([{ by: 'codex', text: 'Continue?' }], {
    signal: new AbortController().signal,
  })
  const next = await nextQuestion(view)
  expect(next).not.toBe(question)
  await view.answer(next, 'No')
  expect((await again).settlements).toMatchObject([{ reply: 'No' }])
})
