/** What makes a text a name. Apart from the schema: `parley stdio` loads none. */
export const NAME = {
  longest: 200,
  allowed: /^\P{Cc}*$/u,
  isEmpty: 'must not be empty',
  isTooLong: 'is longer than 200 characters',
  isForbidden: 'must not hold control characters',
} as const

export function trimmedName(text: string): string {
  return text.toWellFormed().trim()
}

/** The problem with a trimmed name. */
export function problemInName(name: string): string | undefined {
  if (name === '') return NAME.isEmpty
  if (name.length > NAME.longest) return NAME.isTooLong
  return NAME.allowed.test(name) ? undefined : NAME.isForbidden
}

/** The name in what ought to be one, as the schema finds it. */
export function nameIn(value: unknown): string | undefined {
  const name = typeof value === 'string' ? trimmedName(value) : ''
  return problemInName(name) === undefined ? name : undefined
}
