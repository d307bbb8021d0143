/** A queue for each name, for as long as something is in it: one thing after the other, also after one that failed. */
export function createQueues() {
  const last = new Map<string, Promise<unknown>>()
  return { add }

  function add<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(name) ?? Promise.resolve()
    const done = before.then(work, work)
    const over = () => last.get(name) === done && last.delete(name)
    last.set(name, done)
    done.then(over, over)
    return done
  }
}
