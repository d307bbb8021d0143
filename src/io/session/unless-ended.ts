/** Returns the result of the work, which is broken off where nobody wants it any more. */
export async function unlessEnded<T>(ended: AbortSignal, breakOff: () => Promise<unknown>, work: () => Promise<T>) {
  // What is broken off may be gone already.
  const end = () => breakOff().catch(() => {})
  if (ended.aborted) await end()
  ended.throwIfAborted()
  ended.addEventListener('abort', end)
  try {
    return await work()
  } finally {
    ended.removeEventListener('abort', end)
  }
}
