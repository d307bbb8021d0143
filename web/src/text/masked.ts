/** So many secrets are neither shown nor stored. */
export function maskedWords(count: number): string {
  return count === 1 ? '1 secret is masked' : `${count} secrets are masked`
}
