import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Conflict, type LogEntry, NO_ENTRY } from '../../../src/log/journal.ts'
import type { Log, Page } from '../../../src/log/views.ts'
import { collect } from './collector.ts'
import { makePlace, type OpenLog, removePlace, SOAK } from './place.ts'

const RUNS = SOAK > 1 ? 15 * SOAK : 3

const conversation = fc.constantFrom('a', 'b', 'c')
const maybeConversation = fc.option(conversation, { nil: undefined })
const key = fc.option(fc.constantFrom('k1', 'k2', 'k3'), { nil: undefined })
// What JSON cannot tell apart is worth more than chance.
const body = fc.oneof({ weight: 9, arbitrary: fc.jsonValue({ maxDepth: 2 }) }, fc.constantFrom(-0, [-0], Number.NaN))
const draft = fc.record({ key, body })
const attempt = fc.record({
  conversation,
  stale: fc.boolean(),
  drafts: fc.array(draft, { minLength: 1, maxLength: 4 }),
})
const follow = fc.record({ conversation: maybeConversation, after: fc.nat(40), slow: fc.boolean() })
const position = fc.option(fc.nat(40), { nil: undefined })
const append = fc.record({
  kind: fc.constant('append' as const),
  // One attempt for each conversation: who wins a race within one is [L4].
  attempts: fc.uniqueArray(attempt, { selector: (a) => a.conversation, minLength: 1, maxLength: 3 }),
  follow: fc.option(follow, { nil: undefined }),
})
const read = fc.record({
  kind: fc.constant('read' as const),
  conversation: maybeConversation,
  after: position,
  before: position,
  limit: fc.integer({ min: 1, max: 9 }),
})
const step = fc.oneof(
  { weight: 5, arbitrary: append },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('follow' as const), follow }) },
  { weight: 3, arbitrary: read },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forget' as const), conversation }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
)
type Attempt = typeof attempt extends fc.Arbitrary<infer Value> ? Value : never
type Follow = typeof follow extends fc.Arbitrary<infer Value> ? Value : never
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

export function modelRules(open: OpenLog, durable: boolean) {
  test(
    '[L19] any interleaving of appends, follows, reads, forgetting and re-opening agrees with a plain array',
    {
      timeout: 30_000 * SOAK,
    },
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const place = makePlace()
          const model = createModel(await open(place))
          for (const step of steps) {
            if (step.kind !== 'reopen') await model.take(step)
            else if (durable) await model.reopen(() => open(place))
          }
          await model.finish()
          removePlace(place)
        }),
        { numRuns: RUNS },
      ),
  )
}

function createModel(log: Log) {
  let entries: LogEntry[] = []
  let followers: { from: { conversation?: string; after: string }; seen: ReturnType<typeof collect> }[] = []

  return { take, reopen, finish }

  async function take(step: Exclude<Step, { kind: 'reopen' }>) {
    if (step.kind === 'append') {
      const expected = step.attempts.map(predict)
      const attempts = step.attempts.map((attempt) => tryAppend(attempt))
      if (step.follow) startFollowing(step.follow)
      const results = await Promise.all(attempts)
      results.forEach((result, n) => {
        expect(result?.map(({ key, body }) => ({ key, body }))).toEqual(expected[n])
      })
      const known = new Set(entries.map(({ id }) => id))
      const added = new Map(results.flatMap((result) => result ?? []).map((entry) => [entry.id, entry]))
      entries.push(...[...added.values()].filter(({ id }) => !known.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1)))
    } else if (step.kind === 'follow') {
      startFollowing(step.follow)
    } else if (step.kind === 'forget') {
      await checkFollowers()
      await log.forget(step.conversation, of(step.conversation).at(-1)?.id ?? NO_ENTRY)
      entries = entries.filter(({ conversation }) => conversation !== step.conversation)
    } else {
      const page = { ...step, after: idAt(step.after), before: idAt(step.before) }
      expect(await log.read(page)).toEqual(pageOf(page))
    }
  }

  /** What the append must answer with, or nothing when it must be refused. */
  function predict({ conversation, stale, drafts }: Attempt) {
    const held = new Map(of(conversation).map((entry) => [entry.key, entry.body]))
    held.delete(undefined)
    if (stale && !drafts.every(({ key }) => key && held.has(key))) return undefined
    return drafts.map(({ key, body: given }) => {
      const body = JSON.parse(JSON.stringify(given))
      if (key === undefined) return { key, body }
      if (!held.has(key)) held.set(key, body)
      return { key, body: held.get(key) }
    })
  }

  async function tryAppend({ conversation, stale, drafts }: Attempt) {
    const last = stale ? '1'.repeat(16) : (of(conversation).at(-1)?.id ?? NO_ENTRY)
    try {
      return await log.append(conversation, last, drafts)
    } catch (error) {
      if (error instanceof Conflict) return undefined
      throw error
    }
  }

  function startFollowing({ conversation, after, slow }: Follow) {
    const from = { conversation, after: idAt(after) ?? NO_ENTRY }
    const pace = slow ? () => new Promise<void>((resolve) => setImmediate(resolve)) : undefined
    followers.push({ from, seen: collect(log, from, pace) })
  }

  async function reopen(open: () => Log | Promise<Log>) {
    await checkFollowers()
    await log.close()
    log = await open()
  }

  async function finish() {
    await checkFollowers()
    expect(await log.read({ limit: 999 })).toEqual(entries)
    expect(await log.last()).toBe(entries.at(-1)?.id ?? NO_ENTRY)
    const names = [...new Set(entries.toReversed().map(({ conversation }) => conversation))]
    expect(await log.conversations({ limit: 9 })).toEqual(
      names.map((conversation) => ({ conversation, last: of(conversation).at(-1)?.id })),
    )
    await log.close()
  }

  async function checkFollowers() {
    for (const { from, seen } of followers) {
      const expected = of(from.conversation).filter(({ id }) => id > from.after)
      await seen.until(expected.length)
      expect(seen.all()).toEqual(expected)
    }
    followers = []
  }

  function pageOf({ conversation, after, before, limit }: Page) {
    const wanted = of(conversation).filter(({ id }) => (!after || id > after) && (!before || id < before))
    return before && !after ? wanted.slice(-limit) : wanted.slice(0, limit)
  }

  function of(conversation: string | undefined) {
    return conversation === undefined ? entries : entries.filter((entry) => entry.conversation === conversation)
  }

  function idAt(index: number | undefined) {
    return index === undefined ? undefined : entries[index]?.id
  }
}
