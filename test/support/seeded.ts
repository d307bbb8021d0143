export type Dice = ReturnType<typeof seeded>

/** Chance that can be had again: the same seed throws the same dice. */
export function seeded(seed: number) {
  let state = seed >>> 0
  return { below, chance, pick }

  function below(limit: number): number {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }

  function chance(share: number): boolean {
    return below(1000) < share * 1000
  }

  function pick<Value>(values: readonly Value[]): Value {
    return values[below(values.length)] as Value
  }
}
