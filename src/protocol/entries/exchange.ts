/** The keys of the answers that one command gives: the last has the command's own, which says that it happened. */
export function keysOfSeveral(key: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => (n === count - 1 ? key : `${key}:${n}`))
}
