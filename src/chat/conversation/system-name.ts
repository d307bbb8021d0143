/**
 * A name for what is kept beside the conversations. None of them can have it: their names hold no control characters.
 */
export function systemName(name: string): string {
  return `\u0000${name}`
}
