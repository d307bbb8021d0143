/**
 * Returns the result of the work, or what is made of its error: what `catch` is for a promise, for synchronous work.
 */
export function attempt<Result, Other>(work: () => Result, failed: (error: unknown) => Other): Result | Other {
  try {
    return work()
  } catch (error) {
    return failed(error)
  }
}
