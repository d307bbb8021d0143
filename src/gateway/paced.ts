/** Does something for each key at once, and again at most once in so many milliseconds; what was wanted last is done. */
export function paced<Key>(everyMs: number, work: (key: Key) => Promise<void>) {
  const wanted = new Map<Key, { done: Done; again?: Done }>()
  return { want, done }

  function want(key: Key) {
    const running = wanted.get(key)
    if (running) running.again ??= Promise.withResolvers()
    else void run(key, Promise.withResolvers())
  }

  /** Once everything that was wanted before now is done. */
  async function done(key: Key): Promise<void> {
    const { done, again = done } = wanted.get(key) ?? {}
    await again?.promise
  }

  async function run(key: Key, done: Done) {
    const running: { done: Done; again?: Done } = { done }
    wanted.set(key, running)
    await work(key)
    done.resolve()
    setTimeout(() => {
      wanted.delete(key)
      if (running.again) void run(key, running.again)
    }, everyMs).unref()
  }
}

type Done = PromiseWithResolvers<void>
