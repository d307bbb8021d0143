/** Whether the system refused something: a file is missing, a disk is full. Where codes are named, with one of them. */
export function isSystemError(error: unknown, ...codes: string[]): error is NodeJS.ErrnoException & { code: string } {
  if (!(error instanceof Error) || !('syscall' in error)) return false
  return codes.length === 0 || codes.includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Swallows what the system refused, with one of the codes where some are named; every other error is thrown. */
export function ignoring(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (!isSystemError(error, ...codes)) throw error
  }
}

/** Makes a result of what the system refused, with one of the codes where some are named; every other error is thrown. */
export function ifSystemError<Other>(
  made: (error: NodeJS.ErrnoException) => Other,
  ...codes: string[]
): (error: unknown) => Other {
  return (error) => {
    if (isSystemError(error, ...codes)) return made(error)
    throw error
  }
}
