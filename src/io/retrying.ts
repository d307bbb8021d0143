/** Does the work until it succeeds, with a pause between; throws the first error after which it may not be tried again. */
export async function retrying<Result>(
  work: () => Promise<Result>,
  mayTryAgain: (error: unknown) => boolean,
  pause: () => unknown = () => {},
): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!mayTryAgain(error)) throw error
    }
    await pause()
  }
}
