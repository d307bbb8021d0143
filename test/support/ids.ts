/** An id as logs give them. */
export function idOf(n: number): string {
  return String(n).padStart(16, '0')
}
