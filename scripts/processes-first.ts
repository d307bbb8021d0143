import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files of `test/` take longest, because they start processes: none of them should be the last to begin. */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const startsProcesses = ({ moduleId }: TestSpecification) => !/\/(src|web)\//.test(moduleId)
    return [...sorted.filter(startsProcesses), ...sorted.filter((file) => !startsProcesses(file))]
  }
}
