/** A pasted text of this many lines is a document, and would bury what the person has to say about it. */
const MANY_LINES = 30

/** The parts of a clipboard that are better attached than written: files, and long texts. Nothing for words. */
export function filesIn(clipboard: Pick<DataTransfer, 'files' | 'getData'>): File[] {
  const text = clipboard.getData('text/plain')
  const files = [...clipboard.files]
  // Office programs and browsers add a picture of the text that was copied; then the text is what was meant.
  if (files.length > 0 && (text.trim() === '' || areNames(text, files))) return files
  if (linesIn(text) < MANY_LINES) return []
  return [new File([text], 'pasted.txt', { type: 'text/plain' })]
}

/** File managers put the names of the files beside the files. */
function areNames(text: string, files: File[]): boolean {
  const lines = text.trim().split(/\r?\n/)
  return lines.length === files.length && files.every(({ name }) => lines.some((line) => line.endsWith(name)))
}

function linesIn(text: string): number {
  return text.trimEnd().split(/\r\n|\r|\n/).length
}
