import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openRunFolder } from './run-folder.ts'
import { countsTo, type Failure, readCounts, type TestCounts } from './test-counts.ts'

const STEP_LIMIT_MS = 25 * 60_000
const SOAK_TEST_LIMIT_MS = 60 * 60_000
const LINES_OF_A_FAILURE = 30
const NOTHING: TestCounts = { passed: 0, failed: [], skipped: [] }

interface Step {
  name: string
  command: string[]
  /** The step is skipped where this file is missing. */
  needs?: string
  /** Only a step that reports its tests has counts. */
  tests?: boolean
}

interface Outcome extends TestCounts {
  step: Step
  state: 'passed' | 'failed' | 'skipped'
  seconds: number
}

const { values: options } = parseArgs({ options: { check: { type: 'boolean' }, soak: { type: 'boolean' } } })
process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const { folder, close, endOnSignals } = openRunFolder()
const interrupted = endOnSignals()
const outcomes: Outcome[] = []
for (const steps of chosenSteps()) {
  outcomes.push(...(await runTogether(steps)))
  // This process ends when all the others have.
  if (interrupted.aborted) await new Promise(() => {})
}
outcomes.push(await lookAround())
summarise(outcomes)

/** In order; those of one list at the same time. */
function chosenSteps(): Step[][] {
  const checks: Step[] = [
    { name: 'format and lint', command: ['biome', 'ci', '--error-on-warnings', '.'] },
    { name: 'types', command: ['tsc', '-p', '.'] },
    { name: 'types of Node 20', command: ['tsc', '-p', 'src/line'] },
    {
      name: 'types of the page',
      command: ['svelte-check', '--tsgo-experimental-api', '--tsconfig', 'web/tsconfig.json', '--fail-on-warnings'],
      needs: 'web/tsconfig.json',
    },
  ]
  const build: Step = { name: 'build', command: ['node', 'scripts/build.ts'] }
  const vitest = ['vitest', 'run', '--reporter=default', '--reporter=./scripts/vitest-counts.ts']
  const playwright = ['playwright', 'test', '--reporter=list,./scripts/playwright-counts.ts']
  if (options.soak) {
    vitest.push(`--testTimeout=${SOAK_TEST_LIMIT_MS}`)
    playwright.push(`--timeout=${SOAK_TEST_LIMIT_MS}`)
  }
  const tests: Step[] = [
    { name: 'unit and integration', command: vitest, tests: true },
    { name: 'browser', command: playwright, needs: 'playwright.config.ts', tests: true },
  ]
  const unused: Step = { name: 'what nobody uses', command: ['vitest', 'run', 'test/repository/unused.test.ts'] }
  const published: Step = { name: 'the package', command: ['vitest', 'run', 'test/repository/published.test.ts'] }
  if (options.check) return [[...checks, unused, build], [published]]
  // Tests of either kind wait a third of their time, in which the others go on. What is soaked for hours goes one by one.
  return options.soak ? [[build], ...tests.map((step) => [step])] : [[build], [...checks, ...tests]]
}

async function runTogether(steps: Step[]): Promise<Outcome[]> {
  const alone = steps.length === 1
  return Promise.all(steps.map((step) => runStep(step, alone)))
}

/** Tests that are not alone print line by line under their name, anything else when it is done: so nothing is mixed. */
async function runStep(step: Step, alone: boolean): Promise<Outcome> {
  if (step.needs && !existsSync(step.needs)) {
    return { step, state: 'skipped', seconds: 0, ...NOTHING }
  }
  const title = `\n── ${step.name}`
  if (alone) console.log(title)
  const started = performance.now()
  const file = join(folder, `counts-${step.name.replaceAll(' ', '-')}.json`)
  let said = ''
  const hear = step.tests
    ? (text: string) => console.log(`${step.name}: ${text}`)
    : (text: string) => (said += `\n${text}`)
  const succeeded = await run(step.command, countsTo(file), alone ? undefined : hear)
  if (!alone && !step.tests) console.log(`${title}${said}`.trimEnd())
  const counts = step.tests ? readCounts(file) : NOTHING
  return judge(step, succeeded && counts !== undefined, (performance.now() - started) / 1000, counts)
}

/** Whatever a test started has ended with it. */
async function lookAround(): Promise<Outcome> {
  const started = performance.now()
  const left = await close()
  for (const { pid, command } of left) console.log(`left behind: ${pid} ${command}`)
  return judge({ name: 'nothing left behind', command: [] }, left.length === 0, (performance.now() - started) / 1000)
}

function run(
  [command = '', ...args]: string[],
  counts: Record<string, string>,
  hear: ((line: string) => void) | undefined,
): Promise<boolean> {
  const env = {
    ...process.env,
    ...counts,
    PATH: [join(process.cwd(), 'node_modules/.bin'), process.env.PATH].join(delimiter),
    ...(options.soak ? { PARLEY_SOAK: process.env.PARLEY_SOAK || '20' } : {}),
  }
  const limit = options.soak ? {} : { timeout: STEP_LIMIT_MS }
  const output = hear ? 'pipe' : 'inherit'
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['inherit', output, output], env, ...limit })
    for (const input of [child.stdout, child.stderr])
      if (hear && input) createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', hear)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (signal) console.log(`${command} was ended by ${signal}`)
      resolve(code === 0)
    })
  })
}

/** A step that fails without a failing test counts as one failure, so that the last line cannot look as if all were well. */
function judge(step: Step, succeeded: boolean, seconds: number, counts = NOTHING): Outcome {
  const { passed, failed, skipped } = counts
  const unexplained = skipped.some((skip) => !skip.reason)
  const state = succeeded && failed.length === 0 && !unexplained ? 'passed' : 'failed'
  return { step, state, seconds, passed, failed: succeeded || failed.length > 0 ? failed : [asFailure(step)], skipped }
}

function asFailure({ name: title }: Step): Failure {
  return { title, why: undefined }
}

function summarise(outcomes: Outcome[]): void {
  console.log('\n── summary')
  for (const outcome of outcomes) console.log(line(outcome))
  for (const { title, why } of outcomes.flatMap((outcome) => outcome.failed)) {
    console.log(`failed: ${title}`)
    for (const line of why?.split('\n').slice(0, LINES_OF_A_FAILURE) ?? []) console.log(`  ${line}`)
  }
  const skips = outcomes.flatMap((outcome) => outcome.skipped)
  for (const skip of skips)
    console.log(`skipped: ${skip.title}: ${skip.reason ?? 'NO REASON GIVEN, which is a failure'}`)
  const sum = (pick: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  console.log(`\n${sum((o) => o.passed)} passed, ${sum((o) => o.failed.length)} failed, ${skips.length} skipped`)
  if (outcomes.some((outcome) => outcome.state === 'failed')) process.exitCode = 1
}

function line({ step, state, seconds, passed, failed, skipped }: Outcome): string {
  const counts =
    step.tests && state !== 'skipped' ? `${passed} passed, ${failed.length} failed, ${skipped.length} skipped` : ''
  const note = state === 'skipped' ? `there is no ${step.needs}` : counts
  return `${step.name.padEnd(22)}${state.padEnd(9)}${seconds.toFixed(1).padStart(6)} s  ${note}`.trimEnd()
}
