/** A file or a folder, of which the end tells most. */
export function isPath(text: string): boolean {
  return /^(?:~|\.{0,2}[/\\]|[A-Za-z]:\\|[\w.@-]+\/)/.test(text) && !/\s|:\/\//.test(text)
}

/** It is cut at its start, where there is little room. */
export function endOfPath(text: string, most: number): string {
  const letters = [...text]
  return isPath(text) && letters.length > most ? `…${letters.slice(1 - most).join('')}` : text
}
