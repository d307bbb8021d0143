/** What the work brings, or nothing where the signal comes first. */
export async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
  // Nobody waits for it any longer then.
  work.catch(() => {})
  return Promise.race([work, aborted])
}
