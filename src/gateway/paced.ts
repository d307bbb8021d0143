export interface Pace {
  /** The shortest pause, and the longest. */
  fromMs: number
  toMs: number
  /** A pause is so many times as long as the work before it took. */
  times: number
}

/** Does something for each key at once, and again after a pause; what was wanted last is done. */
export function paced<Key>({ fromMs, toMs, times }: Pace, work: (key: Key) => Promise<void>) {
  const wanted = new Map<Key, { again: boolean }>()
  return want

  function want(key: Key) {
    const running = wanted.get(key)
    if (running) running.again = true
    else void run(key)
  }

  async function run(key: Key) {
    const running = { again: false }
    wanted.set(key, running)
    const began = performance.now()
    await work(key)
    const pauseMs = Math.min(toMs, Math.max(fromMs, times * (performance.now() - began)))
    setTimeout(() => {
      wanted.delete(key)
      if (running.again) want(key)
    }, pauseMs).unref()
  }
}
