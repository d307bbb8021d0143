const MOST_LINES = 20

/** As Markdown quotes it, and not more than shows what is meant. */
export function quoted(text: string): string {
  const lines = text.trim().split('\n')
  const shown = lines.slice(0, MOST_LINES)
  return [...shown, ...(lines.length > MOST_LINES ? ['…'] : [])].map((line) => `> ${line}`.trimEnd()).join('\n')
}
