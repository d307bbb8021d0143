/** Returns the result of the work; where it fails, what was begun for it is undone first, and the error is thrown. */
export async function orUndo<T>(work: () => T | Promise<T>, undo: (error: unknown) => unknown): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await undo(error)
    throw error
  }
}
