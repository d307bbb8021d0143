/** The pattern that only this text fits. */
export function literally(text: string): string {
  return text.replace(/[*?\\[{]|^!/g, '\\$&')
}
