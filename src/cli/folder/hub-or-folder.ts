import { setTimeout as pause } from 'node:timers/promises'
import { retrying } from '../../io/retrying.ts'
import { isRefusal } from '../../protocol/refusal.ts'

// A hub that is just starting or ending holds the folder and answers nobody; it is soon one or the other.
const PATIENCE_MS = 5000
const RETRY_MS = 50

/** Asks the hub of a folder; where it answers nothing because there is none, the work is done in the folder itself. */
export async function hubOrFolder<Result>(
  byHub: () => Promise<Result | undefined>,
  inFolder: () => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + PATIENCE_MS
  const mayTryAgain = (error: unknown) => isRefusal(error, 'data_in_use') && Date.now() <= deadline
  return retrying(
    async () => (await byHub()) ?? inFolder(),
    mayTryAgain,
    () => pause(RETRY_MS),
  )
}
