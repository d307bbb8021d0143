/** The time to wait before each further try: twice as long each time, up to the most. */
export function createBackOff(firstMs: number, mostMs: number) {
  let tries = 0
  return { next, nextByChance, reset }

  function next(): number {
    return Math.min(firstMs * 2 ** tries++, mostMs)
  }

  /** The pause is half chance, so that not all come back in the same moment. */
  function nextByChance(): number {
    return next() * (0.5 + Math.random() / 2)
  }

  /** It worked. */
  function reset() {
    tries = 0
  }
}
