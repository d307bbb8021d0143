// The most that one answer brings along; the rest comes with the next.
const MOST = 1000
const MOST_LENGTH = 1024 * 1024

/** One is always taken, however long it is. */
export function createBudget() {
  let count = 0
  let length = 0
  return {
    takes(text: string): boolean {
      count++
      length += text.length
      return count === 1 || (count <= MOST && length <= MOST_LENGTH)
    },
  }
}
