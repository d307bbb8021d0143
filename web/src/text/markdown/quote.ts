const MOST_LINES = 20

/** The text as Markdown quotes it, and no more than shows what is meant. */
export function quoted(text: string): string {
  const lines = text.trim().split('\n')
  const shown = lines.slice(0, MOST_LINES)
  return [...shown, ...(lines.length > MOST_LINES ? ['…'] : [])].map((line) => `> ${line}`.trimEnd()).join('\n')
}
