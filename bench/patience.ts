const PATIENCE_MS = 30_000

/** Ends the benchmark with a reason where something never comes. As long as something grows, it is only slow. */
export function patiently<Value>(waitedFor: string, promise: Promise<Value>, grown?: () => number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    let before = grown?.()
    timer = setInterval(() => {
      const now = grown?.()
      if (now === before) reject(new Error(`Waited too long for ${waitedFor}`))
      before = now
    }, PATIENCE_MS)
  })
  return Promise.race([promise, late]).finally(() => clearInterval(timer))
}
