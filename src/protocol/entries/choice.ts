/** A choice as words: the options, and below them what was written beside. */
export function inWordsOf(choices: readonly string[], words = ''): string {
  const options = choices.join(', ')
  return words.trim() === '' ? options : `${options}\n\n${words}`
}
