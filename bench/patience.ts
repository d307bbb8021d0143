const PATIENCE_MS = 30_000

/** So that what never comes ends the benchmark with a reason. */
export function patiently<Value>(waitedFor: string, promise: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited too long for ${waitedFor}`)), PATIENCE_MS)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
