import { onFirstSignal } from '../io/first-signal.ts'

// Runners and clients have their own, shorter time; this is for a disk that hangs.
const LONGEST_CLOSE_MS = 9000

/** The first signal closes in good order, the second ends at once. */
export function closeOnSignals(close: () => Promise<void>) {
  onFirstSignal(async () => {
    setTimeout(() => process.exit(1), LONGEST_CLOSE_MS).unref()
    await close()
    process.exit(0)
  })
}
