/** The known word that is the fewest edits away, unless all are too far to be meant. */
export function nearest(wrong: string, known: string[]): string | undefined {
  return allNearest(wrong, known)[0]
}

/** Those that could be meant, the nearest first. */
export function allNearest(wrong: string, known: string[]): string[] {
  return known
    .filter((word) => Math.abs(word.length - wrong.length) <= tolerance(word, wrong))
    .map((word) => ({ word, edits: edits(wrong, word) }))
    .filter(({ word, edits }) => edits <= tolerance(word, wrong))
    .sort((a, b) => a.edits - b.edits)
    .map(({ word }) => word)
}

/** A word of which more than half would have to change was hardly meant. */
function tolerance(word: string, wrong: string): number {
  return Math.min(Math.max(2, word.length / 3), wrong.length / 2)
}

/** Levenshtein distance, one row of its table at a time. */
function edits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let column = 0; column < to.length; column++) {
      const swap = (row[column] ?? 0) + (letter === to[column] ? 0 : 1)
      next.push(Math.min(swap, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** Whether one was typed for the other: it is one edit away, or its letters are in another order. */
export function isMistyped(wrong: string, word: string): boolean {
  return wrong !== word && (edits(wrong, word) === 1 || [...wrong].sort().join() === [...word].sort().join())
}
