/** Slower than the eye, faster than a busy page can draw. */
const PAUSE_MS = 50

/** Hands on what comes: the first at once, and what follows closely together with more of its kind. */
export function gather<Item>(handOn: (items: Item[]) => void, pauseMs = PAUSE_MS) {
  let waiting: Item[] = []
  let pause: ReturnType<typeof setTimeout> | undefined
  return { add, flush }

  function add(items: Item[]) {
    waiting.push(...items)
    if (pause === undefined) flush()
  }

  /** Called before anything that must not overtake it. */
  function flush() {
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    clearTimeout(pause)
    pause = setTimeout(again, pauseMs)
    handOn(items)
  }

  function again() {
    pause = undefined
    flush()
  }
}
