/** The keys of the answers that one command gives: the last has the command's own, which says that it happened. */
export function keysOfSeveral(key: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => (n === count - 1 ? key : `${key}:${n}`))
}

/** A choice as words: the options, and below them what was written beside. */
export function inWordsOf(choices: readonly string[], words = ''): string {
  const options = choices.join(', ')
  return words.trim() === '' ? options : `${options}\n\n${words}`
}
