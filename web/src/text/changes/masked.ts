/** What is not shown of a call, or is because the person wants to see it: a number of secrets, and all but its beginning. */
export function maskedWords(count: number, isShown = false, isCut = false): string {
  if (isCut && isShown) return 'All of it is shown'
  if (isCut) return `This is only the beginning${count > 0 ? `, and ${maskedWords(count)}` : ''}`
  const secrets = count === 1 ? '1 secret is' : `${count} secrets are`
  return `${secrets} ${isShown ? 'shown' : 'masked'}`
}
