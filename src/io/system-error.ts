/** Whether the operating system refused, and for one of these reasons where some are named. */
export function isSystemError(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException {
  if (!(error instanceof Error && 'syscall' in error)) return false
  return codes.length === 0 || codes.includes((error as NodeJS.ErrnoException).code ?? '')
}

/** What the work gives, or nothing where the system refuses it, for one of these reasons where some are named. */
export function unlessRefused<T>(work: () => T, ...codes: string[]): T | undefined {
  try {
    return work()
  } catch (error) {
    if (!isSystemError(error, ...codes)) throw error
    return undefined
  }
}

/** The same for what takes its time. */
export async function unlessRefusedLater<T>(work: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!isSystemError(error, ...codes)) throw error
    return undefined
  }
}
