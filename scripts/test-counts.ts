import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** What a test runner reports to `scripts/test.ts`. */
export interface TestCounts {
  passed: number
  /** By their titles. */
  failed: string[]
  skipped: Skip[]
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
