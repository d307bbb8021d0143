import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest'
import type { Mutating } from './active.ts'
import { type Event, journalOf, readEvents } from './journal.ts'

/** A test that takes longer by itself is not tried with mutants. */
const SLOW_MS = 10_000
const PATIENCE_MS = 5000
const LONGER = 'longer than'

// The timer is taken before a test takes the clock away.
const { setTimeout } = globalThis
const now = performance.now.bind(performance)

const folder = process.env.PARLEY_MUTANTS ?? ''
/** Whether nothing else runs: what takes too long once more does so because of its mutant. */
const isAlone = process.env.PARLEY_MUTANTS_ALONE === '1'
const journal = journalOf(folder)
const own = join(folder, `worker-${process.pid}`)
const mutating: Mutating = { active: 0, reached: new Set() }
if (!globalThis.parleyMutating) {
  mkdirSync(own, { recursive: true })
  process.env.PATH = `${own}${delimiter}${process.env.PATH}`
}
globalThis.parleyMutating = mutating

/** Each test is run as it is, then once with each mutant that it reaches and that no other test has noticed. */
export default class MutantRunner extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test)
    test.repeats = new Repeats(triesOf(test)) as unknown as number
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const running = TestRunner.getTestFn(test)()
    await (ownTime.has(test) ? Promise.race([running, patience(test)]) : running)
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onAfterRunSuite(suite)
    if ('filepath' in suite) say({ file: (suite as RunnerTestFile).filepath })
  }
}

/** Looked at before each repeat: is there another? */
class Repeats {
  readonly #tries: Iterator<void>

  constructor(tries: Iterator<void>) {
    this.#tries = tries
  }

  valueOf(): number {
    return this.#tries.next().done ? -1 : Number.POSITIVE_INFINITY
  }
}

const ownTime = new WeakMap<RunnerTestCase, number>()

/** What is yielded has been set up; when it goes on, it has been tried. */
function* triesOf(test: RunnerTestCase): Generator<void> {
  const started = now()
  yield* tryWith(0)
  const took = now() - started
  ownTime.set(test, took)
  const reached = mutantsReached()
  const failure = failureOf(test)
  if (failure !== undefined || took > SLOW_MS)
    return say({ unfit: test.fullName, why: failure ?? `${Math.round(took)} ms` })
  const tried = reached.filter(isLeftTo(test))
  if (tried.length === 0) return
  yield* tryWith(0)
  const again = failureOf(test)
  if (again !== undefined) return say({ unfit: test.fullName, why: `a second time: ${again}` })
  for (const id of tried) {
    say({ trying: id, pid: process.pid, at: Date.now() })
    yield* tryWith(id)
    const why = failureOf(test)
    if (why === undefined) continue
    const isHung = why.startsWith(LONGER)
    if (isHung && !isAlone) say({ hung: id, by: test.fullName, file: test.file.filepath })
    else say({ killed: id, by: test.fullName, why })
    yield* tryWith(0)
    // What a mutant has spoilt for all that comes after it says nothing about the others: they need a new worker. A
    // test that hangs goes on beside them, and may take all the memory.
    if (isHung || failureOf(test) !== undefined) process.kill(process.pid, 'SIGKILL')
  }
  say({ tried, pid: process.pid })
}

/** Nobody has noticed it; alone, each test has only those that it hung with. */
function isLeftTo({ fullName }: RunnerTestCase): (id: number) => boolean {
  const events = readEvents(journal)
  const killed = new Set(events.flatMap((event) => ('killed' in event ? event.killed : [])))
  const hung = events.flatMap((event) => ('hung' in event ? event : []))
  if (isAlone) return (id) => !killed.has(id) && hung.some((one) => one.hung === id && one.by === fullName)
  return (id) => !killed.has(id) && !hung.some((one) => one.hung === id)
}

function mutantsReached(): number[] {
  const byProcesses = readFileSync(join(own, 'reached'), 'utf8').split('\n').filter(Boolean)
  return [...new Set([...mutating.reached, ...byProcesses.map(Number)])]
}

function* tryWith(id: number): Generator<void> {
  mutating.active = id
  mutating.reached.clear()
  writeFileSync(join(own, 'active'), String(id))
  writeFileSync(join(own, 'reached'), '')
  yield
}

function failureOf(test: RunnerTestCase): string | undefined {
  const { result } = test
  if (!result) return undefined
  const failed = result.state === 'fail'
  const [error] = result.errors ?? []
  // Nobody asks for them, and they become many.
  result.errors = []
  result.attempts = []
  return failed ? (error?.message ?? 'failed') : undefined
}

async function patience(test: RunnerTestCase): Promise<never> {
  const limit = (isAlone ? 2 : 1) * PATIENCE_MS + 5 * (ownTime.get(test) ?? 0)
  await new Promise((resolve) => setTimeout(resolve, limit))
  throw new Error(`${LONGER} ${Math.round(limit)} ms`)
}

function say(event: Event): void {
  appendFileSync(journal, `${JSON.stringify(event)}\n`)
}
