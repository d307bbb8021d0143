/** Runs it once, however often it is wanted. */
export function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined
  return () => (done ??= work())
}

/** Work that does not end in time is left behind. */
export async function within(ms: number, work: Promise<unknown>) {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
}
