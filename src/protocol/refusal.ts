import { type ErrorCode, ParleyError } from './errors.ts'

/** Whether it is a refusal of ours; where codes are named, with one of them. */
export function isRefusal(error: unknown, ...codes: ErrorCode[]): error is ParleyError {
  return error instanceof ParleyError && (codes.length === 0 || codes.includes(error.code))
}

/** Makes something of a refusal, with one of the codes where some are named; every other error is thrown. */
export function ifRefused<Other>(
  made: (refusal: ParleyError) => Other,
  ...codes: ErrorCode[]
): (error: unknown) => Other {
  return (error) => {
    if (isRefusal(error, ...codes)) return made(error)
    throw error
  }
}

/** The refusal to answer with: every other error is reported, and a fault of the hub. */
export function refusalFor(error: unknown, report: (error: unknown) => void): ParleyError {
  if (isRefusal(error)) return error
  report(error)
  return new ParleyError('internal')
}

/** The disk is full or fails: what is refused so may be taken later. */
export function isOfDisk(error: unknown): boolean {
  return isRefusal(error, 'disk_full', 'disk_failing')
}

/** Refuses with what the system has against writing this file. */
export function unwritable(path: string): (error: Error) => never {
  return (error) => {
    throw new ParleyError('data_unwritable', { reason: `${path} cannot be written (${error.message})` }, error)
  }
}

/** Refuses with what the system has against reading this file, or what is in this folder. */
export function unreadable(path: string): (error: Error) => never {
  return (error) => {
    throw new ParleyError('data_unwritable', { reason: `${path} cannot be read (${error.message})` }, error)
  }
}
