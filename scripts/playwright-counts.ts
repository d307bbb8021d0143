import { stripVTControlCharacters } from 'node:util'
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter'
import { reportCounts } from './test-counts.ts'

function titleOf(test: TestCase): string {
  return test.titlePath().filter(Boolean).join(' > ')
}

function whyOf(test: TestCase): string | undefined {
  const { message, snippet = '' } = test.results.at(-1)?.error ?? {}
  return message && stripVTControlCharacters(`${message}\n${snippet}`)
}

export default class PlaywrightCounts implements Reporter {
  private root: Suite | undefined

  onBegin(_config: FullConfig, root: Suite): void {
    this.root = root
  }

  onEnd(): void {
    const tests = this.root?.allTests() ?? []
    const skipped = tests.filter((test) => test.outcome() === 'skipped')
    const passed = tests.filter((test) => test.outcome() === 'expected')
    reportCounts({
      passed: passed.length,
      failed: tests
        .filter((test) => !passed.includes(test) && !skipped.includes(test))
        .map((test) => ({ title: titleOf(test), why: whyOf(test) })),
      skipped: skipped.map((test) => ({
        title: titleOf(test),
        reason: test.annotations.find((note) => note.type === 'skip' || note.type === 'fixme')?.description,
      })),
    })
  }
}
