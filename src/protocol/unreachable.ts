/** The compiler proves that this is never called; a newer log could still reach it, so it says what it met. */
export function unreachable(value: never): never {
  throw new Error(`Unexpected ${JSON.stringify(value)}`)
}
