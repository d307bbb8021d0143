import type { FullConfig, Reporter, Suite } from '@playwright/test/reporter'
import { reportCounts } from './test-counts.ts'

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
      failed: tests.length - passed.length - skipped.length,
      skipped: skipped.map((test) => ({
        title: test.titlePath().filter(Boolean).join(' > '),
        reason: test.annotations.find((note) => note.type === 'skip' || note.type === 'fixme')?.description,
      })),
    })
  }
}
