/** Does something for each key at once, and again at most once in so many milliseconds; what was wanted last is done. */
export function paced<Key>(everyMs: number, work: (key: Key) => Promise<void>) {
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
    await work(key)
    setTimeout(() => {
      wanted.delete(key)
      if (running.again) want(key)
    }, everyMs).unref()
  }
}
