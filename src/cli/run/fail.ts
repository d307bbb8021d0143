import { lastSentence } from '../../protocol/last-sentence.ts'

/** The last words of a process that cannot go on. */
export function fail(error: unknown) {
  console.error(lastSentence(error))
  process.exit(1)
}
