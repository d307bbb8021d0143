/** Tells every listener; one that comes or goes meanwhile changes nothing of what is being told. */
export function createEmitter<Told extends unknown[] = []>() {
  const listeners = new Set<(...told: Told) => void>()
  return { on, emit, isHeard, close }

  function on(listener: (...told: Told) => void) {
    listeners.add(listener)
    return { close: () => listeners.delete(listener) }
  }

  function emit(...told: Told) {
    for (const listener of [...listeners]) listener(...told)
  }

  function isHeard(): boolean {
    return listeners.size > 0
  }

  /** Lets go of every listener. */
  function close() {
    listeners.clear()
  }
}
