import type { Reporter, TestModule } from 'vitest/node'
import { reportCounts } from './test-counts.ts'

/** Vitest's own JSON report leaves out why a test was skipped: what `context.skip('reason')` was told. */
export default class VitestCounts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules
      .flatMap((module) => [...module.children.allTests()])
      .map((test) => ({ title: test.fullName, ...test.result() }))
    reportCounts({
      passed: tests.filter((test) => test.state === 'passed').length,
      failed: tests.filter((test) => test.state === 'failed').map((test) => test.title),
      skipped: tests
        .filter((test) => test.state !== 'passed' && test.state !== 'failed')
        .map((test) => ({ title: test.title, reason: test.state === 'skipped' ? test.note : undefined })),
    })
  }
}
