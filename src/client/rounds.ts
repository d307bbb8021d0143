const GROWTH = 1.5
const LONGEST_WAIT_MS = 30_000

interface RoundsParts {
  /** The shortest wait between two of them; 0 for none at all. */
  everyMs: number
  mayRead(): boolean
  read(): Promise<unknown>
}

/** Reads again and again: soon after something happened, and more and more rarely while nothing does. */
export function openRounds({ everyMs, mayRead, read }: RoundsParts) {
  let waitMs = everyMs
  let happened = false
  let timer: ReturnType<typeof setTimeout> | undefined
  return { soon, close }

  /** Something happened, and so may more. */
  function soon() {
    happened = true
    waitMs = everyMs
    wait()
  }

  function wait() {
    clearTimeout(timer)
    if (everyMs <= 0) return
    timer = setTimeout(round, waitMs)
    // Node must not live on for this timer alone; browsers know no such thing.
    ;(timer as { unref?(): void }).unref?.()
  }

  async function round() {
    if (!mayRead()) return
    happened = false
    await read()
    if (!happened) waitMs = Math.max(everyMs, Math.min(waitMs * GROWTH, LONGEST_WAIT_MS))
    wait()
  }

  function close() {
    clearTimeout(timer)
  }
}
