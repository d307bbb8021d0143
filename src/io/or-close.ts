/** What the work gives; where it fails, what was opened for it is closed first. */
export async function orClose<T>(work: () => T | Promise<T>, close: () => unknown): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await close()
    throw error
  }
}
