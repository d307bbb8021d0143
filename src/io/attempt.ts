/** What the work returns, or what is made of its error: for work that is done at once what `catch` is for a promise. */
export function attempt<Result, Other>(work: () => Result, failed: (error: unknown) => Other): Result | Other {
  try {
    return work()
  } catch (error) {
    return failed(error)
  }
}
