/** The number of secrets that are not shown, or are because the person wants to see them. */
export function maskedWords(count: number, isShown = false): string {
  const secrets = count === 1 ? '1 secret is' : `${count} secrets are`
  return `${secrets} ${isShown ? 'shown' : 'masked'}`
}
