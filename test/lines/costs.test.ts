import { Session } from 'node:inspector/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { promiseHooks } from 'node:v8'
import { expect, onTestFinished, test, vi } from 'vitest'
import { answering } from '../support/chat.ts'
import { lineInMemory } from '../support/mcp/line-in-memory.ts'

type Said = Record<'writes' | 'frames' | 'bytes', number>

/** Enough for everything that is made once, and for ids of two digits from then on. */
const WARM_UP = 10
const COUNTED = 20
/** Where zod begins to look at a value. */
const ENTRIES = /\/zod\/v4\/core\/parse\.js$/

test('[M88] a post over a line takes 1 parse and 61 promises', async () => {
  const { call, answerTo, said } = await lineInMemory({ short: true })
  const { parses, promises, json, ...written } = await costOf(post, said)
  expect(parses).toBe(1)
  expect(promises).toBe(61)
  expect(json).toEqual([2, 7])
  expect(written).toEqual({ writes: 1, frames: 1, bytes: 108 })

  async function post(n: number) {
    call(n, 'send_progress', { text: `Step ${n}` })
    await answerTo(n)
  }
})

test('[M88] a round trip over a line takes 1 parse and 161 promises', async () => {
  const { call, answerTo, view, said } = await lineInMemory({ short: true })
  const following = answering(view, () => 'Yes')
  onTestFinished(() => following.close())
  const { parses, promises, json, ...written } = await costOf(ask, said)
  expect(parses).toBe(1)
  expect(promises).toBe(161)
  expect(json).toEqual([4, 19])
  expect(written).toEqual({ writes: 1, frames: 1, bytes: 203 })

  async function ask(n: number) {
    call(n, 'send_message', { text: `Question ${n}` })
    await answerTo(n)
  }
})

/** Counts for one act, whole ones: what is done now and then is not counted. */
async function costOf(act: (n: number) => Promise<void>, said: () => Said) {
  for (let n = 1; n <= WARM_UP; n++) await act(n)
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const before = said()
  let promises = 0
  const stop = promiseHooks.onInit(() => {
    promises++
  })
  const json = [vi.spyOn(JSON, 'parse'), vi.spyOn(JSON, 'stringify')].map(({ mock }) => mock.calls)
  const each = []
  for (let n = 1; n <= COUNTED; n++) {
    promises = 0
    await act(WARM_UP + n)
    each.push(promises)
    // What one act says is written apart from what the next one does.
    await turn()
  }
  const [read = 0, written = 0] = json.map(({ length }) => length)
  vi.restoreAllMocks()
  stop()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const calls = result
    .filter(({ url }) => ENTRIES.test(url))
    .flatMap(({ functions }) => functions.filter(({ functionName }) => functionName === ''))
    .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0)
  const { writes, frames, bytes } = said()
  return {
    parses: average(calls),
    // Texts that are read, and values that are written, those of the test's own line and log included.
    json: [average(read), average(written)],
    // Something else may happen beside an act, and what an act leaves to do may be done in the next one.
    promises: each.toSorted((one, other) => one - other)[COUNTED / 2],
    writes: average(writes - before.writes),
    frames: average(frames - before.frames),
    bytes: average(bytes - before.bytes),
  }

  function average(count: number): number {
    return Math.floor(count / COUNTED)
  }
}
