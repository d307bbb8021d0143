export interface Pace {
  /** The shortest pause, and the longest. */
  fromMs: number
  toMs: number
  /** A pause is so many times as long as the work before it took. */
  times: number
}

/** Does something for each key at once, and again after a pause; what was wanted last is done. */
export function paced<Key>({ fromMs, toMs, times }: Pace, work: (key: Key) => Promise<void>) {
  const wanted = new Map<Key, { done: Done; again?: Done }>()
  return { want, done }

  function want(key: Key) {
    const running = wanted.get(key)
    if (running) running.again ??= Promise.withResolvers()
    else void run(key, Promise.withResolvers())
  }

  /** Resolves once everything that was wanted before now is done. */
  async function done(key: Key): Promise<void> {
    const { done, again = done } = wanted.get(key) ?? {}
    await again?.promise
  }

  async function run(key: Key, done: Done) {
    const running: { done: Done; again?: Done } = { done }
    wanted.set(key, running)
    const began = performance.now()
    await work(key)
    done.resolve()
    const pauseMs = Math.min(toMs, Math.max(fromMs, times * (performance.now() - began)))
    setTimeout(() => {
      wanted.delete(key)
      if (running.again) void run(key, running.again)
    }, pauseMs).unref()
  }
}

type Done = PromiseWithResolvers<void>
