/** Where everybody talks. */
export const CONVERSATION = 'bench'

/** The words in every text that a crowd counts, and in nothing else. */
export const MARK = 'did all of you hear this'

const WORDS =
  'May I rename the twelve files in src and run the tests again before I go on with the next step of the plan? '

/** A text of a few words to a short paragraph, always the same for the same number. */
export function textOf(number: number): string {
  return `${number}: ${WORDS.repeat(2).slice(0, 12 + ((number * 37) % 200))}`.trim()
}
