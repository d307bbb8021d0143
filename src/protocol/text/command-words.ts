import { ParleyError } from '../errors.ts'

/** The words of a command line as a shell would part them: quotes and backslashes, and nothing else of a shell. */
export function commandWords(command: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < command.length; at++) {
    const letter = command.charAt(at)
    if (letter === '\\' && quote !== "'" && isEscaped(command.charAt(at + 1), quote)) {
      word = (word ?? '') + command.charAt(++at)
    } else if (quote ? letter === quote : /["']/.test(letter)) {
      quote = quote ? '' : letter
      word ??= ''
    } else if (!quote && /\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + letter
    }
  }
  if (quote) throw new ParleyError('usage', { problem: `A quote is not closed in the command ${command}` })
  if (word !== undefined) words.push(word)
  if (!words[0]) throw new ParleyError('usage', { problem: 'The command is empty; name the program of an agent' })
  return words
}

/** A backslash within double quotes that guards nothing is itself, as in paths of Windows. */
function isEscaped(next: string, quote: string): boolean {
  return quote ? /["\\]/.test(next) : /["'\\\s]/.test(next)
}

/** A command line that has these words. */
export function commandOf(words: string[]): string {
  return words.map((word) => (/^[^\s"'\\]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`)).join(' ')
}
