/** Keeps so many on the way until all are done. */
export async function inFlight(count: number, most: number, act: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0
  await Promise.all(Array.from({ length: Math.min(most, count) }, goOn))

  async function goOn() {
    while (next < count) await act(next++)
  }
}
