import type { FileStore } from '../../files/file-store.ts'
import type { ToolResultBody } from '../../protocol/entries/entry.ts'
import type { CallResult } from '../../protocol/tools/gateway.ts'
import { keepInput } from './kept-input.ts'
import { keepResult } from './kept-result.ts'
import { recallWhole } from './whole-result.ts'

export type Keeping = ReturnType<typeof createKeeping>

/** The stored parts of calls, in entries and in files beside them. */
export function createKeeping(files: FileStore) {
  return {
    keepInput: (input: Record<string, unknown>) => keepInput(input, files),
    /** `isWhole`: also as its tool gave it. */
    keep: (result: CallResult, how: { isWhole: boolean }) => keepResult(result, files, how),
    /** The kept result of a call that ran, as its caller would have got it. */
    recall: (result: ToolResultBody) => recallWhole(result, files),
  }
}
