/** Pauses that grow, from one try to the next. */
export function growingPause(fromMs: number, toMs: number): () => Promise<void> {
  let ms = fromMs
  return () => {
    const now = ms
    ms = Math.min(ms * 2, toMs)
    return new Promise((resolve) => setTimeout(resolve, now))
  }
}

/** A clock that never goes back. Not `performance`: the first look at it takes 1 ms. */
export function uptimeMs(): number {
  return process.uptime() * 1000
}
