import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** What a test runner reports to `scripts/test.ts`. */
export interface TestCounts {
  passed: number
  failed: Failure[]
  skipped: Skip[]
}

export interface Failure {
  title: string
  /** What the runner says of it; it stands in the summary again, which is all that some logs keep. */
  why: string | undefined
}

export interface Skip {
  title: string
  reason: string | undefined
}

/** Where a runner that `scripts/test.ts` started leaves its counts. */
const FILE = 'PARLEY_TEST_COUNTS'

export function countsTo(file: string): Record<string, string> {
  return { [FILE]: file }
}

export function reportCounts(counts: TestCounts): void {
  const file = process.env[FILE]
  if (file) writeFileSync(file, JSON.stringify(counts))
}

/** Nothing, when the runner ended before it could report. */
export function readCounts(file: string): TestCounts | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}
