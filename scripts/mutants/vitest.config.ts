import { mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import usual from '../../vitest.config.ts'

/** As they were named: the nearest to the code first. */
class AsNamed extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => process.argv.findIndex((word) => moduleId.endsWith(word))
    return files.toSorted((one, other) => place(one) - place(other))
  }
}

export default mergeConfig(usual, {
  test: {
    root: process.cwd(),
    runner: './scripts/mutants/mutant-runner.ts',
    sequence: { sequencer: AsNamed },
    // One that grows without end is over soon.
    execArgv: ['--max-old-space-size=1024'],
    ...(process.env.PARLEY_MUTANTS_ALONE && { maxWorkers: 1 }),
    // A mutant may leave something that never closes.
    hookTimeout: 15_000,
    dangerouslyIgnoreUnhandledErrors: true,
    reporters: [{}],
  },
})
