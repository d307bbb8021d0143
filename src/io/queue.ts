/** Does one thing after the other, also after one that failed; each caller hears of its own. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return { add, idle }

  function add<T>(work: () => T | Promise<T>): Promise<T> {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }

  /** Once everything is done that was added until now. */
  async function idle(): Promise<void> {
    await last
  }
}
