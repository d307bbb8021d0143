import { stripVTControlCharacters } from 'node:util'
import type { TestError } from 'vitest'
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
      failed: tests
        .filter((test) => test.state === 'failed')
        .map(({ title, errors }) => ({ title, why: errors?.map(inWords).join('\n') })),
      skipped: tests
        .filter((test) => test.state !== 'passed' && test.state !== 'failed')
        .map((test) => ({ title: test.title, reason: test.state === 'skipped' ? test.note : undefined })),
    })
  }
}

/** Of its stack what is ours. */
function inWords({ message, diff = '', stack = '' }: TestError): string {
  const places = stack
    .split('\n')
    .filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line) && !line.includes('node_modules'))
  return [message, ...places, stripVTControlCharacters(diff)].filter(Boolean).join('\n')
}
